-- Ends a failed or timed-out attempt: another attempt later if the retry policy allows one, else the end of the activity.
--
-- p_run          the run, whose row the caller has locked.
-- p_activity     the activity, running or pending.
-- p_now          when the attempt ended.
-- p_retryable    whether this kind of end may be retried at all.
-- p_status       failed or timed_out: what the activity becomes when it is not retried.
-- p_type         ActivityFailed or ActivityTimedOut.
-- p_members      what the event says of the failure, with a leading comma.
-- Result         outcome: retry_scheduled or p_status; available_at: when the next attempt may start; hints: wake-ups.
-- Locks          the run's row (already held), then the activity.
-- Writes         activities; through record_event inbox, runs, history_events, workflow_tasks.
create or replace function byssus.retry_or_close_activity(
    p_run byssus.runs, p_activity byssus.activities, p_now timestamptz, p_retryable boolean, p_status text,
    p_type text, p_members text,
    out outcome text, out available_at timestamptz, out hints text
)
language plpgsql
as $$
declare
    v_next byssus.activities := p_activity;
    v_wakes boolean;
begin
    -- The last pause of the list serves all later attempts.
    available_at := p_now + make_interval(secs => coalesce((
        p_activity.backoff_seconds
        ->> least(p_activity.attempt_number, json_array_length(p_activity.backoff_seconds)) - 1
    )::integer, 0));

    if p_retryable
        and (p_activity.max_attempts is null or p_activity.attempt_number < p_activity.max_attempts)
        and (p_activity.schedule_to_close_deadline_at is null
            or available_at < p_activity.schedule_to_close_deadline_at)
    then
        outcome := 'retry_scheduled';
        v_next.status := 'pending';
        v_next.available_at := available_at;
        update byssus.activities as a
        set status = 'pending', available_at = v_next.available_at, lease_owner = null, lease_expires_at = null,
            started_at = null, last_heartbeat_at = null, heartbeat_details = null,
            timeout_at = byssus.activity_timeout_at(v_next)
        where a.run_id = p_activity.run_id and a.position = p_activity.position;

        hints := byssus.record_event(
            p_run, p_now, 'result', 'ActivityRetryScheduled',
            byssus.activity_event(
                p_activity, p_members || ',"retry_available_at":"' || byssus.wire_time(available_at) || '"'
            ),
            false
        );
        hints := concat_ws(
            ',', nullif(hints, ''),
            byssus.ready_hint('activity', p_activity.namespace, p_activity.task_queue, available_at)
        );
        return;
    end if;

    outcome := p_status;
    available_at := null;
    update byssus.activities as a
    set status = p_status, closed_at = p_now, lease_owner = null, lease_expires_at = null, started_at = null,
        timeout_at = null
    where a.run_id = p_activity.run_id and a.position = p_activity.position;

    v_wakes := p_activity.group_base is null
        or not byssus.group_has_open_leaf(p_run.run_id, p_activity.group_base, p_activity.group_size);
    hints := byssus.record_event(
        p_run, p_now, 'result', p_type, byssus.activity_event(p_activity, p_members), v_wakes
    );
end;
$$;

comment on function byssus.retry_or_close_activity(
    byssus.runs, byssus.activities, timestamptz, boolean, text, text, text
) is 'Schedules the next attempt of an activity, or ends it with its final failure or timeout.';
