-- A completion's answer with what one of its carried parts got.
--
-- p_answer  the answer.
-- p_name    the part, which names the member.
-- p_body    what it got, a JSON object.
-- Result    the answer with the member at its end.
-- Locks     none. Writes nothing.
create or replace function byssus.with_part(p_answer byssus.answer, p_name text, p_body text)
returns byssus.answer
language sql
immutable
as $$
    select (
        p_answer.outcome, left(p_answer.body, -1) || ',"' || p_name || '":' || p_body || '}', p_answer.hints
    )::byssus.answer;
$$;

comment on function byssus.with_part(byssus.answer, text, text) is 'An answer with the member of a carried part.';
