-- What a maintenance pass answers.
--
-- p_count  how much it did.
-- p_more   whether there may be more to do at once.
-- p_hints  wake-up hints, each null, one or several elements joined by commas.
-- Result   outcome swept. Locks none, writes nothing.
create or replace function byssus.swept(p_count integer, p_more boolean, p_hints text[])
returns byssus.answer
language sql
stable
as $$
    select (
        'swept',
        '{"count":' || p_count || ',"more":' || p_more || '}',
        '[' || nullif(array_to_string(p_hints, ','), '') || ']'
    )::byssus.answer;
$$;

comment on function byssus.swept(integer, boolean, text[]) is 'The answer of a maintenance pass.';
