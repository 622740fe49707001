-- Whether a parallel group still waits for one of its leaves. Workflow code goes on only when all have ended.
--
-- p_run_id  the run, whose row the caller has locked.
-- p_base    the authored position of the outermost group's first leaf.
-- p_size    its number of leaves.
-- Result    true while an activity or a timer of the group is open.
-- Locks     none of its own. Writes nothing.
create or replace function byssus.group_has_open_leaf(p_run_id text, p_base integer, p_size integer)
returns boolean
language plpgsql
stable
as $$
begin
    return exists (
        select from byssus.activities as a
        where a.run_id = p_run_id and a.position between p_base and p_base + p_size - 1 and a.closed_at is null
    ) or exists (
        select from byssus.timers as t
        where t.run_id = p_run_id and t.position between p_base and p_base + p_size - 1
    );
end;
$$;

comment on function byssus.group_has_open_leaf(text, integer, integer) is
'True while a parallel group has a leaf that has not ended.';
