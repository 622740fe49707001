-- Says what became possible for those who wait: which queues have something to claim, and which runs have grown. The
-- net under lost wake-ups, and the only way to hear of other processes where there is no NOTIFY.
--
-- p_queues  array of ["workflow" or "activity", namespace, task_queue].
-- p_runs    array of [run_id, last history sequence that is known].
-- Outcomes  probed: those of the queues that have a due task, and of the runs that have a longer history.
-- Locks     none. Writes nothing.
create or replace function byssus.probe_wakeups(p_queues json, p_runs json)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_ready text;
    v_grown text;
begin
    select string_agg(q.queue::text, ',' order by q.number) into v_ready
    from json_array_elements(p_queues) with ordinality as q (queue, number)
    where case q.queue ->> 0
        when 'workflow' then byssus.has_ready_workflow_task(q.queue ->> 1, q.queue ->> 2, v_now)
        else byssus.has_ready_activity(q.queue ->> 1, q.queue ->> 2, v_now)
    end;

    select string_agg(byssus.json_string(r.run_id), ',' order by w.number) into v_grown
    from json_array_elements(p_runs) with ordinality as w (watched, number)
    inner join byssus.runs as r on w.watched ->> 0 = r.run_id
    where r.last_history_sequence > (w.watched ->> 1)::bigint;

    return (
        'probed', '{"ready":[' || coalesce(v_ready, '') || '],"grown":[' || coalesce(v_grown, '') || ']}', null
    )::byssus.answer;
end;
$$;

comment on function byssus.probe_wakeups(json, json) is
'The queues that have a due workflow task or activity, and the runs whose history is longer than known.';
