-- The command record_local_activity: an activity that the worker of the workflow task has run itself.
--
-- It begins and ends in one breath: nothing is left to be claimed, to time out or to wake the run, so it has no row.
-- Workflow code already has the result, and goes on in the same task.
--
-- p_run      the run, its last authored position already that of this command.
-- p_command  the command.
-- Result     types, payloads: ActivityScheduled and the event of its outcome; hint: null; wakes: false.
-- Locks      none. Writes nothing.
create or replace function byssus.record_local_activity(
    p_run byssus.runs, p_command json,
    out types text[], out payloads text[], out hint text, out wakes boolean
)
language plpgsql
stable
as $$
declare
    v_identity text := '"sequence":' || p_run.last_authored_position
        || ',"activity_execution_id":"' || p_run.run_id || ':a' || p_run.last_authored_position || '"';
begin
    types := array[
        'ActivityScheduled',
        case p_command ->> 'outcome'
            when 'completed' then 'ActivityCompleted'
            when 'failed' then 'ActivityFailed'
            when 'timed_out' then 'ActivityTimedOut'
            when 'cancelled' then 'ActivityCancelled'
        end
    ];
    payloads := array[
        '{' || v_identity || byssus.json_members(p_command ->> 'fields') || '}',
        '{' || v_identity || byssus.json_members(p_command ->> 'outcome_fields') || '}'
    ];
    hint := null;
    wakes := false;
end;
$$;

comment on function byssus.record_local_activity(byssus.runs, json) is
'Makes the events of a record_local_activity command.';
