-- The answer that says no.
--
-- p_reason   a code of docs/errors.md.
-- p_members  more members of the body: text that begins with a comma, or nothing.
-- Result     the refusal. Locks none, writes nothing.
create or replace function byssus.refuse(p_reason text, p_members text default '')
returns byssus.answer
language sql
stable
as $$
    select (p_reason, '{"reason":"' || p_reason || '"' || p_members || '}', null)::byssus.answer;
$$;

comment on function byssus.refuse(text, text) is 'A refusal: its reason as outcome, and a body that names it.';
