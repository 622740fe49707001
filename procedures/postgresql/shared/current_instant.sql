-- The only reader of the clock. A transition reads it once, after it has its locks.
--
-- Result   the present moment, with microseconds.
-- Locks    none. Writes nothing.
create or replace function byssus.current_instant()
returns timestamptz
language sql
volatile
as $$
    select pg_catalog.clock_timestamp();
$$;

comment on function byssus.current_instant() is 'The database''s clock, which is the clock of every transition.';
