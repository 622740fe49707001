-- Notes that a worker lives.
--
-- p_namespace        the worker's namespace.
-- p_worker_id        its id.
-- p_task_slots       its free slots.
-- p_process_metrics  what its process uses.
-- p_stale_seconds    for how long the heartbeat counts.
-- Outcomes           acknowledged; worker_not_registered, namespace_not_found.
-- Locks              the worker's liveness row. Writes worker_liveness.
create or replace function byssus.heartbeat_worker(
    p_namespace text, p_worker_id text, p_task_slots json, p_process_metrics json, p_stale_seconds integer
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
begin
    update byssus.worker_liveness as l
    set last_heartbeat_at = v_now, stale_at = v_now + make_interval(secs => p_stale_seconds),
        task_slots = p_task_slots, process_metrics = p_process_metrics
    where l.namespace = p_namespace and l.worker_id = p_worker_id;

    if not found then
        return byssus.refuse_missing(
            p_namespace, 'worker_not_registered', ',"worker_id":' || byssus.json_string(p_worker_id)
        );
    end if;
    return (
        'acknowledged', '{"worker_id":' || byssus.json_string(p_worker_id) || ',"acknowledged":true}', null
    )::byssus.answer;
end;
$$;

comment on function byssus.heartbeat_worker(text, text, json, json, integer) is
'Records a worker''s heartbeat, slots and metrics.';
