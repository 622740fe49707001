-- What the polls that a repeated completion carries were given, as far as that lives. Nothing new is claimed.
--
-- p_run           the run, whose row the caller has locked.
-- p_registration  the registration of the worker that calls, or null.
-- p_carried       {workflow_poll?, activity_poll?} (see carry_polls).
-- p_now           the moment.
-- p_answer        the recorded answer.
-- Result          the answer with a member per poll.
-- Locks           none of its own. Writes nothing.
create or replace function byssus.repeat_polls(
    p_run byssus.runs, p_registration byssus.worker_registrations, p_carried json, p_now timestamptz,
    p_answer byssus.answer
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_poll json;
    v_claim byssus.answer;
    v_activity byssus.activities;
    v_answer byssus.answer := p_answer;
begin
    v_poll := p_carried -> 'workflow_poll';
    if v_poll is not null then
        v_claim := byssus.repeat_workflow_claim(v_poll, p_registration, p_now);
        if v_claim.outcome is null then
            v_claim := byssus.empty_poll();
        end if;
        v_answer := byssus.with_part(v_answer, 'workflow_poll', v_claim.body);
    end if;
    v_poll := p_carried -> 'activity_poll';
    if v_poll is not null then
        v_claim := byssus.repeat_activity_claim(v_poll, p_now);
        if v_claim.outcome is null then
            v_claim := byssus.empty_poll();
        end if;
        v_activity := byssus.polled_activity(v_poll, p_run.run_id, p_now);
        v_answer := byssus.with_part(v_answer, 'activity_poll', byssus.with_tail(
            v_claim.body,
            byssus.history_tail(
                v_activity.run_id, p_registration, (v_poll ->> 'history_after_sequence')::bigint, null, p_now
            )
        ));
    end if;
    return v_answer;
end;
$$;

comment on function byssus.repeat_polls(
    byssus.runs, byssus.worker_registrations, json, timestamptz, byssus.answer
) is 'The claims that the polls of a repeated completion were given, as far as they live.';
