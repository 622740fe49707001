-- Empties a run's inbox into two lists that the caller appends to history. A held timeout of a wait that is no
-- longer open has come too late and is dropped: a wait is resolved once.
--
-- p_run_id         the run, whose row the caller has locked.
-- p_wait_position  the condition wait that is open now, or null.
-- Result           types, payloads: the events, in order of arrival; wakes: whether workflow code has to look at them;
--                  has_signals: whether there are signals among them; resolves_wait: whether one resolved the open wait.
-- Locks            the run's row (already held).
-- Writes           inbox.
create or replace function byssus.take_held_events(
    p_run_id text, p_wait_position integer,
    out types text[], out payloads text[], out wakes boolean, out has_signals boolean, out resolves_wait boolean
)
language plpgsql
as $$
begin
    wakes := false;
    has_signals := false;
    resolves_wait := false;
    if not exists (select from byssus.inbox as i where i.run_id = p_run_id) then
        return;
    end if;

    with taken as (
        delete from byssus.inbox as i where i.run_id = p_run_id returning i.*
    ),
    kept as (
        select * from taken as t
        where t.kind <> 'condition_timeout' or t.wait_position = p_wait_position
    )
    select
        array_agg(k.event_type order by k.arrival),
        array_agg(k.payload order by k.arrival),
        coalesce(bool_or(k.wakes), false),
        coalesce(bool_or(k.kind = 'signal'), false),
        coalesce(bool_or(k.kind = 'condition_timeout'), false)
    into types, payloads, wakes, has_signals, resolves_wait
    from kept as k;
end;
$$;

comment on function byssus.take_held_events(text, integer) is
'Takes the events that were held while a workflow task was leased, in order of arrival.';
