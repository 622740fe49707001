-- The payload of an event of the condition wait that a run has open.
--
-- p_run   the run as its wait was opened.
-- Result  authored position, wait id, and the command's key and fingerprint, byte for byte.
-- Locks   none. Writes nothing.
create or replace function byssus.condition_wait_event(p_run byssus.runs)
returns text
language sql
stable
as $$
    select '{"sequence":' || p_run.open_wait_position
        || ',"condition_wait_id":"' || p_run.run_id || ':w' || p_run.open_wait_position || '"'
        || byssus.json_members(p_run.open_wait_fields) || '}';
$$;

comment on function byssus.condition_wait_event(byssus.runs) is 'The payload of an event of the open condition wait.';
