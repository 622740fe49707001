-- What a description says of a run's open workflow task.
--
-- p_task  the task, or null.
-- Result  a JSON object, or null.
-- Locks   none. Writes nothing.
create or replace function byssus.open_task_summary(p_task byssus.workflow_tasks)
returns text
language sql
stable
as $$
    select '{"task_id":"' || p_task.run_id || ':k' || p_task.task_number
        || '","status":"' || p_task.status
        || '","attempt":' || p_task.attempt
        || ',"available_at":"' || byssus.wire_time(p_task.available_at)
        || '","lease_owner":' || coalesce(byssus.json_string(p_task.lease_owner), 'null')
        || ',"lease_expires_at":' || coalesce(byssus.json_string(byssus.wire_time(p_task.lease_expires_at)), 'null')
        || ',"failure_count":' || p_task.failure_count
        || ',"last_failure":' || coalesce(p_task.last_failure::text, 'null') || '}';
$$;

comment on function byssus.open_task_summary(byssus.workflow_tasks) is 'An open workflow task for readers.';
