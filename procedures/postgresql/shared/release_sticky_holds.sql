-- Lets any worker claim what was held for one that has gone. A task that someone is busy with is left to them.
--
-- p_token   the registration that has ended.
-- p_now     the moment.
-- Result    whether there was any.
-- Locks     the worker's held tasks, skipping what others hold; no run, so that it waits for none.
-- Writes    workflow_tasks.
create or replace function byssus.release_sticky_holds(p_token text, p_now timestamptz)
returns boolean
language plpgsql
as $$
begin
    update byssus.workflow_tasks as t set held_until = t.available_at
    where t.run_id = any (array(
        select o.run_id from byssus.workflow_tasks as o
        where o.status = 'ready' and o.sticky_registration_token = p_token and o.held_until > p_now
            and o.held_until > o.available_at
        order by o.run_id
        for update skip locked
    ));
    return found;
end;
$$;

comment on function byssus.release_sticky_holds(text, timestamptz) is
'Ends the holds on ready workflow tasks for a registration that is over.';
