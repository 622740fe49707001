-- Hints with the note that a carried part has failed, for the server's log.
--
-- p_hints     the hints of the completion, a JSON array.
-- p_part      the part.
-- p_sqlstate  why, in the database's terms.
-- Result      the hints with ["failed",part,sqlstate] at their end.
-- Locks       none. Writes nothing.
create or replace function byssus.failure_hint(p_hints text, p_part text, p_sqlstate text)
returns text
language sql
immutable
as $$
    select left(p_hints, -1) || case when p_hints <> '[]' then ',' else '' end
        || '["failed","' || p_part || '","' || p_sqlstate || '"]]';
$$;

comment on function byssus.failure_hint(text, text, text) is 'Wake-up hints with the failure of a carried part.';
