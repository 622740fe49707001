-- Records an answer, so that the same request repeated gets the same.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_subject   what was answered (see receipts).
-- p_caller    who called.
-- p_digest    digest of the request's body.
-- p_now       the moment.
-- p_answer    the answer; its hints are not kept, since they were given.
-- Locks       the run's row (already held).
-- Writes      receipts.
create or replace function byssus.record_receipt(
    p_run_id text, p_subject text, p_caller text, p_digest text, p_now timestamptz, p_answer byssus.answer
)
returns void
language plpgsql
as $$
begin
    insert into byssus.receipts (run_id, subject, caller, digest, outcome, body, recorded_at)
    values (p_run_id, p_subject, p_caller, p_digest, p_answer.outcome, p_answer.body, p_now);
end;
$$;

comment on function byssus.record_receipt(text, text, text, text, timestamptz, byssus.answer) is
'Keeps an answer for when its request is repeated.';
