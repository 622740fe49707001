-- Claims an activity for the poll that a completion carries. A worker that holds the history of the completed run goes on
-- with that run first, and gets the rest of its history with the activity.
--
-- A speculative part: in a savepoint of its own. What fails in it is undone alone.
--
-- p_run           the run as the completion has left it; its row the caller has locked.
-- p_registration  the registration of the worker that calls, locked in share mode.
-- p_poll          the poll (see claim_activity_task), and history_after_sequence?.
-- p_now           the moment.
-- p_answer        the completion's answer.
-- Result          the answer with the member activity_poll: the ordinary answer of a poll, with history_tail if that
--                 was asked for and can be had; or poll_status failed.
-- Locks           the claimed activity, skipping what others hold.
-- Writes          activities, affinities.
create or replace function byssus.carry_activity_poll(
    p_run byssus.runs, p_registration byssus.worker_registrations, p_poll json, p_now timestamptz,
    p_answer byssus.answer
)
returns byssus.answer
language plpgsql
as $$
declare
    v_claim byssus.answer;
    v_activity byssus.activities;
    v_tail text;
    v_answer byssus.answer := p_answer;
begin
    v_claim := byssus.refuse_poll(p_poll, p_registration);
    if v_claim.outcome is null then
        v_claim := byssus.repeat_activity_claim(p_poll, p_now);
    end if;
    if v_claim.outcome is null then
        if p_poll ->> 'history_after_sequence' is not null then
            v_activity := byssus.claimable_activity(p_run.run_id, p_registration, p_now);
        end if;
        if v_activity.run_id is not null then
            v_claim := byssus.grant_activity(p_poll, p_registration, v_activity, p_now);
        else
            v_claim := byssus.lease_activity(p_poll, p_registration, p_now);
        end if;
    end if;
    if v_claim.outcome is null then
        v_claim := byssus.empty_poll();
    elsif v_claim.outcome = 'leased' then
        v_activity := byssus.polled_activity(p_poll, p_run.run_id, p_now);
        if v_activity.available_at = p_now then
            v_answer.hints := byssus.without_hint(
                p_answer.hints, byssus.ready_hint('activity', v_activity.namespace, v_activity.task_queue)
            );
        end if;
        v_tail := byssus.history_tail(
            v_activity.run_id, p_registration, (p_poll ->> 'history_after_sequence')::bigint,
            p_run.last_history_sequence, p_now
        );
        if v_tail is not null then
            update byssus.affinities as a set delivered_sequence = p_run.last_history_sequence
            where a.run_id = p_run.run_id;
        end if;
    end if;
    return byssus.with_part(v_answer, 'activity_poll', byssus.with_tail(v_claim.body, v_tail));
exception
    when others then
        v_answer.hints := byssus.failure_hint(p_answer.hints, 'activity_poll', sqlstate);
        return byssus.with_part(v_answer, 'activity_poll', '{"task":null,"poll_status":"failed"}');
end;
$$;

comment on function byssus.carry_activity_poll(
    byssus.runs, byssus.worker_registrations, json, timestamptz, byssus.answer
) is 'Claims an activity for a carried poll, in a savepoint of its own.';
