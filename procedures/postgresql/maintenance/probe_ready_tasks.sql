-- Says which of some queues have something to claim: the net under lost wake-ups.
--
-- p_queues  array of ["workflow" or "activity", namespace, task_queue].
-- Outcomes  probed: those of them that have a due task.
-- Locks     none. Writes nothing.
create or replace function byssus.probe_ready_tasks(p_queues json)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_ready text;
begin
    select string_agg(q.queue::text, ',' order by q.number) into v_ready
    from json_array_elements(p_queues) with ordinality as q (queue, number)
    where case q.queue ->> 0
        when 'workflow' then byssus.has_ready_workflow_task(q.queue ->> 1, q.queue ->> 2, v_now)
        else byssus.has_ready_activity(q.queue ->> 1, q.queue ->> 2, v_now)
    end;
    return ('probed', '{"ready":[' || coalesce(v_ready, '') || ']}', null)::byssus.answer;
end;
$$;

comment on function byssus.probe_ready_tasks(json) is 'The queues that have a due workflow task or activity.';
