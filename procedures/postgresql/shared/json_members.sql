-- The members of a JSON object, to be spliced behind others: byte for byte, so that payloads stay what they were.
--
-- p_object  a JSON object without white space around its braces, or null.
-- Result    its members with a leading comma; empty for null and for an object without members.
-- Locks     none. Writes nothing.
create or replace function byssus.json_members(p_object text)
returns text
language sql
stable
as $$
    select case
        when p_object is null or p_object = '{}' then ''
        else ',' || pg_catalog.substr(p_object, 2, pg_catalog.length(p_object) - 2)
    end;
$$;

comment on function byssus.json_members(text) is 'The members of a JSON object as text with a leading comma.';
