-- What a worker is told of an activity attempt that it holds.
--
-- p_activity  the running activity.
-- Result      the answer of a poll.
-- Locks       none. Writes nothing.
create or replace function byssus.leased_activity(p_activity byssus.activities)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_run byssus.runs;
    v_id text := p_activity.run_id || ':a' || p_activity.position;
begin
    select * into v_run from byssus.runs as r where r.run_id = p_activity.run_id;
    return (
        'leased',
        '{"task":{"task_id":"' || v_id
        || '","namespace":' || byssus.json_string(v_run.namespace)
        || ',"workflow_id":' || byssus.json_string(v_run.workflow_id)
        || ',"run_id":"' || v_run.run_id
        || '","workflow_type":' || byssus.json_string(v_run.workflow_type)
        || ',"activity_execution_id":"' || v_id
        || '","activity_attempt_id":"' || v_id || '.' || p_activity.attempt_number
        || '","attempt_number":' || p_activity.attempt_number
        || ',"activity_type":' || byssus.json_string(p_activity.activity_type)
        || ',"payload_codec":"avro","arguments":' || coalesce(p_activity.arguments::text, 'null')
        || byssus.json_member('retry_policy', p_activity.retry_policy::text)
        || ',"task_queue":' || byssus.json_string(p_activity.task_queue)
        || ',"lease_owner":' || byssus.json_string(p_activity.lease_owner)
        || ',"lease_expires_at":"' || byssus.wire_time(p_activity.lease_expires_at)
        || '","deadlines":{' || substr(
            byssus.json_member('start_to_close', byssus.json_string(byssus.wire_time(
                p_activity.started_at + make_interval(secs => p_activity.start_to_close_timeout)
            )))
            || byssus.json_member('schedule_to_close', byssus.json_string(byssus.wire_time(
                p_activity.schedule_to_close_deadline_at
            )))
            || byssus.json_member('heartbeat', byssus.json_string(byssus.wire_time(
                coalesce(p_activity.last_heartbeat_at, p_activity.started_at)
                + make_interval(secs => p_activity.heartbeat_timeout)
            )))
            || byssus.json_member('run', byssus.json_string(byssus.wire_time(v_run.run_deadline_at)))
            || byssus.json_member('execution', byssus.json_string(byssus.wire_time(v_run.execution_deadline_at))),
            2
        )
        || '}},"poll_status":"leased"}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.leased_activity(byssus.activities) is 'A running activity attempt in wire form.';
