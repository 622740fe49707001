-- Notes that polls of workers for workflow tasks are still waiting.
--
-- p_polls            array of [namespace, worker_id], in this order, so that two calls lock in the same order.
-- p_polling_seconds  for how long that vouches for the workers.
-- Outcomes           recorded.
-- Locks              the workers' liveness rows, skipping what others hold. Writes worker_liveness.
create or replace function byssus.record_polls(p_polls json, p_polling_seconds integer)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_worker record;
begin
    for v_worker in
        select w.namespace, w.worker_id
        from json_array_elements(p_polls) with ordinality as p (poll, number)
        inner join byssus.worker_registrations as w
            on p.poll ->> 0 = w.namespace and p.poll ->> 1 = w.worker_id
        where w.sticky_execution
        order by p.number
    loop
        perform byssus.record_poll(v_worker.namespace, v_worker.worker_id, p_polling_seconds, v_now);
    end loop;
    return ('recorded', '{"recorded":true}', null)::byssus.answer;
end;
$$;

comment on function byssus.record_polls(json, integer) is 'Records which workers have a poll for workflow tasks waiting.';
