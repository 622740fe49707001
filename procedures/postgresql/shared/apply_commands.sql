-- Applies the commands of a leased workflow task whose fence and positions have been checked.
--
-- An open condition wait is resolved first: that workflow code goes on means that it was satisfied, even when the
-- same wait is then opened again. Each command's events follow in order, each at the next authored position.
--
-- p_run       the run, whose row the caller has locked.
-- p_task      its leased task.
-- p_commands  the commands.
-- p_now       the moment.
-- Result      outcome completed.
-- Locks       the run's row (already held); its activities when it closes; its workflow when it continues as new.
-- Writes      runs, history_events, workflow_tasks, activities, timers, inbox, run_payloads; workflows and a new run.
create or replace function byssus.apply_commands(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_commands json, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_run byssus.runs := p_run;
    v_keeps_wait boolean := byssus.keeps_open_wait(p_run, p_commands);
    v_types text[] := array[]::text[];
    v_payloads text[] := array[]::text[];
    v_hints text[] := array['["run","' || p_run.run_id || '"]'];
    v_wakes boolean := false;
    v_command record;
    v_made record;
    v_terminal json;
begin
    if v_run.open_wait_position is not null and not v_keeps_wait then
        v_types := v_types || 'ConditionWaitSatisfied'::text;
        v_payloads := v_payloads || byssus.condition_wait_event(v_run);
        delete from byssus.timers as t
        where t.run_id = v_run.run_id and t.position = v_run.open_wait_position;
        v_run.open_wait_position := null;
        v_run.open_wait_fields := null;
    end if;
    v_run.open_wait_has_news := v_keeps_wait and v_run.open_wait_has_news;

    for v_command in
        select c.command as body, c.command ->> 'type' as type, (c.command ->> 'group_position')::integer as place, c.number
        from json_array_elements(p_commands) with ordinality as c (command, number)
        order by c.number
    loop
        if v_command.type in ('complete_workflow', 'fail_workflow', 'continue_as_new') then
            v_terminal := v_command.body;
        elsif v_command.place <= v_run.last_authored_position or (v_keeps_wait and v_command.number = 1) then
            continue;
        else
            v_run.last_authored_position := v_run.last_authored_position + 1;
            case v_command.type
                when 'schedule_activity' then
                    v_made := byssus.schedule_activity(v_run, v_command.body, p_now);
                when 'start_timer' then
                    v_made := byssus.start_timer(v_run, v_command.body, p_now);
                when 'open_condition_wait' then
                    v_made := byssus.open_condition_wait(v_run, v_command.body, p_now);
                    v_run.open_wait_position := case when not v_made.wakes then v_run.last_authored_position end;
                    v_run.open_wait_fields := case when not v_made.wakes then v_command.body ->> 'fields' end;
                when 'record_side_effect' then
                    v_made := byssus.record_side_effect(v_run, v_command.body);
                when 'record_local_activity' then
                    v_made := byssus.record_local_activity(v_run, v_command.body);
            end case;
            v_types := v_types || v_made.types;
            v_payloads := v_payloads || v_made.payloads;
            v_hints := v_hints || v_made.hint;
            v_wakes := v_wakes or v_made.wakes;
        end if;
    end loop;

    v_run.applied_through_sequence := p_task.claimed_sequence;
    if v_terminal is not null then
        return byssus.finish_run(v_run, p_task, v_terminal, p_now, v_types, v_payloads);
    end if;
    return byssus.suspend_run(v_run, p_task, p_now, v_types, v_payloads, v_hints, v_wakes);
end;
$$;

comment on function byssus.apply_commands(byssus.runs, byssus.workflow_tasks, json, timestamptz) is
'Applies the commands of a workflow task: their rows and events, and what becomes of the run.';
