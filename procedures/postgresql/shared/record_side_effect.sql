-- The command record_side_effect: a value that workflow code must see again at every replay.
--
-- p_run      the run, its last authored position already that of this command.
-- p_command  the command.
-- Result     types, payloads: its event; hint: null; wakes: false.
-- Locks      none. Writes nothing.
create or replace function byssus.record_side_effect(
    p_run byssus.runs, p_command json,
    out types text[], out payloads text[], out hint text, out wakes boolean
)
language plpgsql
stable
as $$
begin
    types := array['SideEffectRecorded'];
    payloads := array[
        '{"sequence":' || p_run.last_authored_position || byssus.json_members(p_command ->> 'fields') || '}'
    ];
    hint := null;
    wakes := false;
end;
$$;

comment on function byssus.record_side_effect(byssus.runs, json) is 'Makes the event of a record_side_effect command.';
