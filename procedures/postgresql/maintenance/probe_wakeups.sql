-- Says what became possible for those who wait: which queues have something to claim, and which runs have grown. The
-- net under lost wake-ups, and the only way to hear of other processes where there is no NOTIFY.
--
-- p_queues  array of ["workflow" or "activity", namespace, task_queue].
-- p_runs    array of [run_id, last history sequence that is known].
-- p_hold_seconds  the longest hold on a workflow task.
-- Outcomes  probed: ready: those of the queues that have a due task which any worker may claim; held:
--           ["workflow", namespace, task_queue, worker_id] of workers that a due task is held for, at most 100 of a queue;
--           grown: those of the runs that have a longer history.
-- Locks     none. Writes nothing.
create or replace function byssus.probe_wakeups(p_queues json, p_runs json, p_hold_seconds integer)
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_ready text;
    v_held text;
    v_grown text;
begin
    select string_agg(q.queue::text, ',' order by q.number) into v_ready
    from json_array_elements(p_queues) with ordinality as q (queue, number)
    where case q.queue ->> 0
        when 'workflow' then byssus.has_ready_workflow_task(q.queue ->> 1, q.queue ->> 2, v_now, 0)
        else byssus.has_ready_activity(q.queue ->> 1, q.queue ->> 2, v_now)
    end;

    select string_agg(
        '["workflow",' || (q.queue -> 1)::text || ',' || (q.queue -> 2)::text || ','
        || byssus.json_string(h.sticky_worker_id) || ']',
        ',' order by q.number, h.sticky_worker_id collate "C"
    ) into v_held
    from json_array_elements(p_queues) with ordinality as q (queue, number)
    cross join lateral (
        select distinct f.sticky_worker_id
        from (
            select d.sticky_worker_id
            from generate_series(0, 9) as p (priority)
            cross join lateral (
                select t.sticky_worker_id
                from byssus.workflow_tasks as t
                where t.namespace = q.queue ->> 1 and t.task_queue = q.queue ->> 2 and t.status = 'ready'
                    and t.priority = p.priority and t.held_until > v_now
                    and t.held_until <= v_now + make_interval(secs => p_hold_seconds) and t.available_at <= v_now
                order by t.held_until
                limit 100
            ) as d
            limit 100
        ) as f
    ) as h
    where q.queue ->> 0 = 'workflow' and p_hold_seconds > 0;

    select string_agg(byssus.json_string(r.run_id), ',' order by w.number) into v_grown
    from json_array_elements(p_runs) with ordinality as w (watched, number)
    inner join byssus.runs as r on w.watched ->> 0 = r.run_id
    where r.last_history_sequence > (w.watched ->> 1)::bigint;

    return (
        'probed',
        '{"ready":[' || coalesce(v_ready, '') || '],"held":[' || coalesce(v_held, '')
        || '],"grown":[' || coalesce(v_grown, '') || ']}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.probe_wakeups(json, json, integer) is
'The queues with a due task, the workers that tasks are held for, and the runs whose history is longer than known.';
