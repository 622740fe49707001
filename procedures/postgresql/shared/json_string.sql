-- A text as a JSON string.
--
-- p_text   any text, or null.
-- Result   the text quoted and escaped, or null.
-- Locks    none. Writes nothing.
create or replace function byssus.json_string(p_text text)
returns text
language sql
stable
as $$
    select pg_catalog.to_json(p_text)::text;
$$;

comment on function byssus.json_string(text) is 'A text as a JSON string; null stays null.';
