-- Answers a leased workflow task whose fence has been checked: what its worker keeps of the run, and its commands.
--
-- p_run           the run, whose row the caller has locked.
-- p_task          its leased task.
-- p_registration  the registration of the task's worker; looked at only with p_sticky.
-- p_commands      the commands.
-- p_sticky        sticky_cache (see complete_workflow_task), or null.
-- p_now           the moment.
-- Result          completed; or the refusals of sticky_cache (sticky_refusal), invalid_commands: then nothing was written.
-- Locks           as apply_commands.
-- Writes          affinities; as apply_commands.
create or replace function byssus.answer_workflow_task(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_registration byssus.worker_registrations, p_commands json,
    p_sticky json, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_answer byssus.answer;
    v_misplaced integer;
begin
    if p_sticky is not null then
        v_answer := byssus.sticky_refusal(p_run, p_task, p_registration, p_sticky);
        if v_answer.outcome is not null then
            return v_answer;
        end if;
    end if;
    if position('"group_position"' in p_commands::text) > 0 then
        v_misplaced := byssus.misplaced_command(p_run, p_commands);
    end if;
    if v_misplaced is not null then
        return byssus.refuse(
            'invalid_commands',
            ',"task_id":"' || p_run.run_id || ':k' || p_task.task_number || '","workflow_task_attempt":' || p_task.attempt
            || ',"outcome":"rejected","recorded":false,"command_index":' || v_misplaced
            || ',"field":"commands.' || v_misplaced || '.parallel_group_base_sequence"'
        );
    end if;

    if p_sticky is null then
        perform byssus.clear_affinity(p_run.run_id);
    else
        perform byssus.record_affinity(p_run, p_task, p_registration, p_sticky, p_now);
    end if;
    return byssus.apply_commands(p_run, p_task, p_commands, p_now);
end;
$$;

comment on function byssus.answer_workflow_task(
    byssus.runs, byssus.workflow_tasks, byssus.worker_registrations, json, json, timestamptz
) is 'Answers a leased workflow task with what its worker keeps and its commands, or refuses them.';
