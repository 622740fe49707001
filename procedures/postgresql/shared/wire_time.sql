-- A moment as it goes over the wire: UTC, six digits, Z.
--
-- p_moment  the moment, or null.
-- Result    YYYY-MM-DDTHH:MM:SS.ffffffZ, or null.
-- Locks     none. Writes nothing.
create or replace function byssus.wire_time(p_moment timestamptz)
returns text
language sql
stable
as $$
    select pg_catalog.to_char(p_moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
$$;

comment on function byssus.wire_time(timestamptz) is 'A moment in wire form: RFC 3339, UTC, microseconds.';
