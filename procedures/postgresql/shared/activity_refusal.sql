-- The fence of an activity attempt: why this caller may not act on it.
--
-- p_run          the run; null when there is none.
-- p_activity     the activity; null when there is none.
-- p_attempt_id   the attempt the caller was given.
-- p_lease_owner  who calls.
-- p_now          the moment.
-- Result         null when the caller holds the attempt, else the reason, in this order: attempt_not_found,
--                task_mismatch, run_cancelled, run_terminated, run_closed, stale_attempt, activity_not_running,
--                lease_owner_mismatch, lease_expired, run_timed_out.
-- Locks          none of its own. Writes nothing.
create or replace function byssus.activity_refusal(
    p_run byssus.runs, p_activity byssus.activities, p_attempt_id text, p_lease_owner text, p_now timestamptz
)
returns text
language sql
stable
as $$
    select case
        when p_run.run_id is null or p_activity.run_id is null then 'attempt_not_found'
        when p_attempt_id !~ '^[0-9a-f-]{36}:a[0-9]{1,9}\.[0-9]{1,9}$' then 'attempt_not_found'
        when split_part(p_attempt_id, '.', 1) <> p_activity.run_id || ':a' || p_activity.position then 'task_mismatch'
        when split_part(p_attempt_id, '.', 2)::integer > p_activity.attempt_number then 'attempt_not_found'
        when p_run.status = 'cancelled' then 'run_cancelled'
        when p_run.status = 'terminated' then 'run_terminated'
        when p_run.closed_at is not null then 'run_closed'
        when split_part(p_attempt_id, '.', 2)::integer < p_activity.attempt_number then 'stale_attempt'
        when p_activity.status <> 'running' then 'activity_not_running'
        when p_activity.lease_owner <> p_lease_owner then 'lease_owner_mismatch'
        when p_activity.lease_expires_at <= p_now then 'lease_expired'
        when p_run.deadline_at <= p_now then 'run_timed_out'
    end;
$$;

comment on function byssus.activity_refusal(byssus.runs, byssus.activities, text, text, timestamptz) is
'Why a caller may not act on an activity attempt, or null.';
