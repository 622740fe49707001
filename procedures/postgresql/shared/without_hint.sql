-- Hints without one whose cause the same transition has taken up, so that nobody is woken for nothing.
--
-- p_hints  a JSON array.
-- p_hint   the element, which is not the first; only its first occurrence goes, since each stands for one cause.
-- Result   the others.
-- Locks    none. Writes nothing.
create or replace function byssus.without_hint(p_hints text, p_hint text)
returns text
language plpgsql
immutable
as $$
declare
    v_at integer := position(',' || p_hint in p_hints);
begin
    if v_at = 0 then
        return p_hints;
    end if;
    return overlay(p_hints placing '' from v_at for length(p_hint) + 1);
end;
$$;

comment on function byssus.without_hint(text, text) is 'Wake-up hints without the first occurrence of one of them.';
