-- Finds a command of a parallel group that does not get the authored position it was written for. A position that
-- the run has already allotted is a command sent again, and in place.
--
-- p_run       the run, whose row the caller has locked.
-- p_commands  the completion's commands.
-- Result      the index of the first misplaced command, or null.
-- Locks       none. Writes nothing.
create or replace function byssus.misplaced_command(p_run byssus.runs, p_commands json)
returns integer
language plpgsql
immutable
as $$
declare
    v_next integer := p_run.last_authored_position + 1;
    v_index integer := 0;
    v_command json;
    v_position integer;
begin
    for v_command in select c.command from json_array_elements(p_commands) as c (command) loop
        v_position := (v_command ->> 'group_position')::integer;
        if v_position > v_next then
            return v_index;
        elsif v_position is null or v_position = v_next then
            v_next := v_next + (
                v_command ->> 'type' not in ('complete_workflow', 'fail_workflow', 'continue_as_new')
                and not (v_index = 0 and byssus.keeps_open_wait(p_run, p_commands))
            )::integer;
        end if;
        v_index := v_index + 1;
    end loop;
    return null;
end;
$$;

comment on function byssus.misplaced_command(byssus.runs, json) is
'The index of the first group command out of its authored position, or null.';
