-- The answer of an activity poll with the rest of its run's history.
--
-- p_body  the answer, a JSON object.
-- p_tail  the rest (history_tail), or null.
-- Result  the answer with the member history_tail, or as it was.
-- Locks   none. Writes nothing.
create or replace function byssus.with_tail(p_body text, p_tail text)
returns text
language sql
immutable
as $$
    select case when p_tail is null then p_body else left(p_body, -1) || ',"history_tail":' || p_tail || '}' end;
$$;

comment on function byssus.with_tail(text, text) is 'An answer with the rest of a history, if there is one.';
