-- The refusal of something that was not found: the namespace, if that is what is missing.
--
-- p_namespace  the namespace of the request.
-- p_reason     what to answer when the namespace exists.
-- p_members    more members of the body, with a leading comma.
-- Result       the refusal: namespace_not_found or p_reason.
-- Locks none, writes nothing.
create or replace function byssus.refuse_missing(p_namespace text, p_reason text, p_members text default '')
returns byssus.answer
language plpgsql
stable
as $$
begin
    if exists (select from byssus.namespaces as n where n.name = p_namespace) then
        return byssus.refuse(p_reason, p_members);
    end if;
    return byssus.refuse('namespace_not_found', ',"namespace":' || byssus.json_string(p_namespace));
end;
$$;

comment on function byssus.refuse_missing(text, text, text) is
'A not-found refusal that tells a missing namespace from a missing row.';
