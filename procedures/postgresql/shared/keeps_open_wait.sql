-- Whether a completion merely says again that workflow code waits on the condition that is already open: nothing
-- came in since it opened, so nothing can have satisfied it, and the wait and its timeout stay.
--
-- p_run       the run, whose row the caller has locked.
-- p_commands  the completion's commands.
-- Result      true if the first command repeats the open wait and there is no news for it.
-- Locks       none. Writes nothing.
create or replace function byssus.keeps_open_wait(p_run byssus.runs, p_commands json)
returns boolean
language sql
stable
as $$
    select p_run.open_wait_position is not null
        and not p_run.open_wait_has_news
        and p_commands -> 0 ->> 'type' = 'open_condition_wait'
        and p_commands -> 0 ->> 'fields' = p_run.open_wait_fields;
$$;

comment on function byssus.keeps_open_wait(byssus.runs, json) is
'Whether a completion only repeats the open condition wait.';
