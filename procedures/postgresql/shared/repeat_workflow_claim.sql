-- The claim that a repeated poll was given before, while its lease lives.
--
-- p_poll   the poll.
-- p_now    the moment.
-- Result   the same task again, or null.
-- Locks    none. Writes nothing.
create or replace function byssus.repeat_workflow_claim(p_poll json, p_now timestamptz)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_task byssus.workflow_tasks;
    v_run byssus.runs;
begin
    select * into v_task from byssus.workflow_tasks as t
    where t.namespace = p_poll ->> 'namespace' and t.lease_owner = p_poll ->> 'worker_id'
        and t.poll_request_id = p_poll ->> 'poll_request_id' and t.lease_expires_at > p_now
    limit 1;
    if v_task.run_id is null then
        return null;
    end if;
    select * into v_run from byssus.runs as r where r.run_id = v_task.run_id;
    return byssus.leased_workflow_task(v_run, v_task, (p_poll ->> 'page_size')::integer);
end;
$$;

comment on function byssus.repeat_workflow_claim(json, timestamptz) is
'The living claim of a poll that is repeated, or null.';
