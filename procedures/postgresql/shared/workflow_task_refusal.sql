-- The fence of a workflow task: why this caller may not act on it.
--
-- p_run           the run, locked by the caller; null when there is none.
-- p_task          its open task; null when there is none.
-- p_task_number   the task the caller means; null when its id is malformed.
-- p_lease_owner   who calls.
-- p_attempt       the attempt the caller was given.
-- p_now           the moment.
-- Result          null when the caller holds the lease, else the reason, in this order: task_not_found, run_closed,
--                 task_not_leased, lease_owner_mismatch, workflow_task_attempt_mismatch, lease_expired, run_timed_out.
-- Locks           none of its own. Writes nothing.
create or replace function byssus.workflow_task_refusal(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_task_number bigint, p_lease_owner text, p_attempt integer,
    p_now timestamptz
)
returns text
language sql
stable
as $$
    select case
        when p_run.run_id is null or p_task_number is null then 'task_not_found'
        when p_task_number > p_run.last_history_sequence then 'task_not_found'
        when p_run.closed_at is not null then 'run_closed'
        when p_task.task_number is distinct from p_task_number then 'task_not_leased'
        when p_task.status <> 'leased' then 'task_not_leased'
        when p_task.lease_owner <> p_lease_owner then 'lease_owner_mismatch'
        when p_task.attempt <> p_attempt then 'workflow_task_attempt_mismatch'
        when p_task.lease_expires_at <= p_now then 'lease_expired'
        when p_run.deadline_at <= p_now then 'run_timed_out'
    end;
$$;

comment on function byssus.workflow_task_refusal(
    byssus.runs, byssus.workflow_tasks, bigint, text, integer, timestamptz
) is 'Why a caller may not act on a workflow task, or null.';
