-- One member of a JSON object, left out when it has no value: on the wire, null is not the same as absent.
--
-- p_name   the member's name.
-- p_value  its value as JSON text, or null.
-- Result   the member with a leading comma, or nothing.
-- Locks    none. Writes nothing.
create or replace function byssus.json_member(p_name text, p_value text)
returns text
language sql
stable
as $$
    select coalesce(',"' || p_name || '":' || p_value, '');
$$;

comment on function byssus.json_member(text, text) is 'A JSON member with a leading comma, or nothing for null.';
