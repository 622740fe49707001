-- What a repeated request gets: the recorded answer to the same request, a refusal to another one under the same name.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_subject   what was answered (see receipts).
-- p_caller    who calls.
-- p_digest    digest of the request's body.
-- p_conflict  the reason when the body or the caller is another one.
-- p_members   members of that refusal, with a leading comma.
-- Result      null when nothing was answered yet.
-- Locks       none of its own. Writes nothing.
create or replace function byssus.repeated_answer(
    p_run_id text, p_subject text, p_caller text, p_digest text, p_conflict text, p_members text
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_receipt byssus.receipts;
begin
    select * into v_receipt from byssus.receipts as c
    where c.run_id = p_run_id and c.subject = p_subject;

    if v_receipt.run_id is null then
        return null;
    end if;
    if v_receipt.caller = p_caller and v_receipt.digest = p_digest then
        return (v_receipt.outcome, v_receipt.body, null)::byssus.answer;
    end if;
    return byssus.refuse(p_conflict, p_members);
end;
$$;

comment on function byssus.repeated_answer(text, text, text, text, text, text) is
'The recorded answer to a repeated request, or a refusal when its body differs.';
