-- Notes that a worker lives.
--
-- p_namespace        the worker's namespace.
-- p_worker_id        its id.
-- p_task_slots       its free slots.
-- p_process_metrics  what its process uses.
-- Outcomes           acknowledged; worker_not_registered, namespace_not_found.
-- Locks              the worker's liveness row. Writes worker_liveness.
create or replace function byssus.heartbeat_worker(
    p_namespace text, p_worker_id text, p_task_slots json, p_process_metrics json
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
begin
    update byssus.worker_liveness as l
    set last_heartbeat_at = byssus.current_instant(), task_slots = p_task_slots,
        process_metrics = p_process_metrics
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

comment on function byssus.heartbeat_worker(text, text, json, json) is 'Records a worker''s heartbeat, slots and metrics.';
