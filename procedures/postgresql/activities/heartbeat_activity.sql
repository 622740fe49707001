-- Notes that an activity attempt makes progress, and renews its lease.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_details              progress, or null.
-- p_lease_seconds        how long a renewed lease lasts.
-- Outcomes               heartbeat_recorded; the fence's refusals (activity_refusal), namespace_not_found.
-- Locks                  the activity; no run, since whoever closes a run waits for this.
-- Writes                 activities. The lease is renewed when half of it is over, so that most heartbeats touch no
--                        index; the heartbeat timeout is moved on by enforce_timeouts.
create or replace function byssus.heartbeat_activity(
    p_namespace text, p_task_id text, p_activity_attempt_id text, p_lease_owner text, p_details json,
    p_lease_seconds integer
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_activity byssus.activities;
    v_now timestamptz;
    v_reason text;
begin
    select * into v_activity from byssus.activities as a
    where a.run_id = split_part(p_task_id, ':a', 1) and a.position = byssus.activity_position(p_task_id)
        and a.namespace is not distinct from p_namespace
    for update;
    select * into v_run from byssus.runs as r where r.run_id = v_activity.run_id;
    v_now := byssus.current_instant();

    v_reason := byssus.activity_refusal(v_run, v_activity, p_activity_attempt_id, p_lease_owner, v_now);
    if v_reason is not null then
        return byssus.refuse_activity(
            p_namespace, v_reason, v_run, p_task_id, p_activity_attempt_id, p_lease_owner
        );
    end if;

    update byssus.activities as a
    set last_heartbeat_at = v_now, heartbeat_details = p_details,
        lease_expires_at = case
            when a.lease_expires_at < v_now + make_interval(secs => p_lease_seconds / 2.0)
                then v_now + make_interval(secs => p_lease_seconds)
            else a.lease_expires_at
        end
    where a.run_id = v_activity.run_id and a.position = v_activity.position
    returning a.* into v_activity;
    return (
        'heartbeat_recorded',
        '{"task_id":' || byssus.json_string(p_task_id)
        || ',"activity_attempt_id":' || byssus.json_string(p_activity_attempt_id)
        || ',"lease_owner":' || byssus.json_string(p_lease_owner)
        || ',"cancel_requested":false,"can_continue":true,"reason":null,"heartbeat_recorded":true,"last_heartbeat_at":"'
        || byssus.wire_time(v_activity.last_heartbeat_at)
        || '","lease_expires_at":"' || byssus.wire_time(v_activity.lease_expires_at) || '"}',
        null
    )::byssus.answer;
end;
$$;

comment on function byssus.heartbeat_activity(text, text, text, text, json, integer) is
'Records an activity''s heartbeat and renews its lease.';
