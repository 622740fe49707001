-- Why a continuation is not applied.
--
-- p_run           the run as the activity's completion has left it.
-- p_task          the workflow task that the run had already, or null.
-- p_affinity      its affinity, or null.
-- p_registration  the registration of the worker that calls, locked in share mode.
-- p_is_stale      whether that worker's heartbeat is overdue.
-- p_continuation  the continuation: basis_sequence, commands.
-- p_asks          whether the completion asked for a workflow task.
-- p_now           the moment.
-- Result          no_workflow_task, unsupported_continuation_command, history_moved, workflow_task_pending,
--                 not_sticky_owner or registration_changed, in this order; or null. A run whose cancellation was
--                 requested is closed, so its activities do not get here.
-- Locks           none. Writes nothing.
create or replace function byssus.continuation_refusal(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_affinity byssus.affinities,
    p_registration byssus.worker_registrations, p_is_stale boolean, p_continuation json, p_asks boolean,
    p_now timestamptz
)
returns text
language plpgsql
immutable
as $$
begin
    return case
        when not p_asks then 'no_workflow_task'
        when exists (
            select from json_array_elements((p_continuation ->> 'commands')::json) as c (command)
            where c.command ->> 'type' not in (
                'schedule_activity', 'start_timer', 'record_side_effect', 'record_local_activity',
                'complete_workflow', 'fail_workflow'
            )
        ) then 'unsupported_continuation_command'
        when p_run.last_history_sequence <> (p_continuation ->> 'basis_sequence')::bigint + 1 then 'history_moved'
        when p_task.run_id is not null then 'workflow_task_pending'
        when p_affinity.run_id is null or p_affinity.sticky_until <= p_now then 'not_sticky_owner'
        when p_affinity.sticky_worker_id <> p_registration.worker_id then 'not_sticky_owner'
        when p_affinity.delivered_sequence < (p_continuation ->> 'basis_sequence')::bigint then 'not_sticky_owner'
        when p_affinity.registration_token <> p_registration.registration_token then 'registration_changed'
        when p_is_stale then 'registration_changed'
    end;
end;
$$;

comment on function byssus.continuation_refusal(
    byssus.runs, byssus.workflow_tasks, byssus.affinities, byssus.worker_registrations, boolean, json, boolean,
    timestamptz
) is 'Why a continuation is not applied, or null.';
