-- Why a completion's sticky_cache cannot be accepted: the worker did not advertise what it uses, or speaks of another
-- worker, run or build than the task's.
--
-- p_run           the run.
-- p_task          its leased task.
-- p_registration  the registration of the task's worker, or null.
-- p_sticky        sticky_cache: worker_id, workflow_id, run_id, build_id, history_last_sequence?; protocol_version.
-- Result          worker_capability_not_supported, validation_failed, sticky_cache_identity_mismatch; or null.
-- Locks           none. Writes nothing.
create or replace function byssus.sticky_refusal(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_registration byssus.worker_registrations, p_sticky json
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_members text := ',"task_id":"' || p_run.run_id || ':k' || p_task.task_number
        || '","workflow_task_attempt":' || p_task.attempt || ',"outcome":"rejected","recorded":false';
    v_capability text := ',"capability":"sticky_execution","requested_version":'
        || (p_sticky -> 'protocol_version')::text || ',"minimum_protocol_version":"1.18"';
    v_text text;
begin
    if p_registration.sticky_execution is not true then
        return byssus.refuse(
            'worker_capability_not_supported',
            v_members || v_capability
            || ',"remediation":"Register the worker with the capability sticky_execution, or leave sticky_cache out."'
        );
    elsif p_sticky ->> 'history_last_sequence' is not null and not p_registration.sticky_history_suffix then
        v_text := '{"sticky_cache.history_last_sequence":'
            || '["must be absent: the worker did not register with sticky_history_suffix"]}';
        return byssus.refuse(
            'validation_failed', v_members || ',"errors":' || v_text || ',"validation_errors":' || v_text
        );
    elsif p_sticky ->> 'worker_id' <> p_task.lease_owner
        or p_sticky ->> 'workflow_id' <> p_run.workflow_id
        or p_sticky ->> 'run_id' <> p_run.run_id
        or p_sticky ->> 'build_id' is distinct from coalesce(p_registration.build_id, p_registration.sdk_version)
    then
        return byssus.refuse(
            'sticky_cache_identity_mismatch',
            v_members || v_capability
            || ',"remediation":"Name the task''s own worker, workflow and run, and the build that was registered."'
        );
    end if;
    return null;
end;
$$;

comment on function byssus.sticky_refusal(
    byssus.runs, byssus.workflow_tasks, byssus.worker_registrations, json
) is 'The refusal of a completion''s sticky_cache, or null.';
