-- The claim that a repeated poll was given before, while its lease lives. Its page holds no more than has been delivered,
-- so that nothing has to be noted again.
--
-- p_poll          the poll.
-- p_registration  the worker's registration.
-- p_now           the moment.
-- Result   the same task again, or null.
-- Locks    none. Writes nothing.
create or replace function byssus.repeat_workflow_claim(
    p_poll json, p_registration byssus.worker_registrations, p_now timestamptz
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_task byssus.workflow_tasks;
    v_run byssus.runs;
    v_page record;
begin
    select * into v_task from byssus.workflow_tasks as t
    where t.namespace = p_poll ->> 'namespace' and t.lease_owner = p_poll ->> 'worker_id'
        and t.poll_request_id = p_poll ->> 'poll_request_id' and t.lease_expires_at > p_now
    limit 1;
    if v_task.run_id is null then
        return null;
    end if;
    select * into v_run from byssus.runs as r where r.run_id = v_task.run_id;
    v_page := byssus.history_page(
        v_run.run_id, v_task.after_sequence, v_task.claimed_sequence,
        least((p_poll ->> 'page_size')::bigint, v_task.delivered_sequence - v_task.after_sequence)::integer
    );
    return byssus.leased_workflow_task(
        v_run, v_task, p_registration.sticky_history_suffix, v_page.events, v_page.token
    );
end;
$$;

comment on function byssus.repeat_workflow_claim(json, byssus.worker_registrations, timestamptz) is
'The living claim of a poll that is repeated, or null.';
