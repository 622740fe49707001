-- Makes the polls that a completion carries, after it: first for a workflow task, then for an activity.
--
-- p_run           the run as the completion has left it; its row the caller has locked.
-- p_registration  the registration of the worker that calls, locked in share mode.
-- p_carried       {workflow_poll?, activity_poll?}: polls as the claims take them (claim_workflow_task,
--                 claim_activity_task); activity_poll also with history_after_sequence?, and if_applied: only after a
--                 continuation that was applied.
-- p_is_continued  whether one was.
-- p_now           the moment.
-- p_answer        the completion's answer.
-- Result          the answer with a member per poll.
-- Locks           tasks with their runs, and activities, skipping what others hold; the run's own task.
-- Writes          workflow_tasks, sticky_counts, worker_liveness, activities, affinities.
create or replace function byssus.carry_polls(
    p_run byssus.runs, p_registration byssus.worker_registrations, p_carried json, p_is_continued boolean,
    p_now timestamptz, p_answer byssus.answer
)
returns byssus.answer
language plpgsql
as $$
declare
    v_answer byssus.answer := p_answer;
begin
    if p_carried -> 'workflow_poll' is not null then
        v_answer := byssus.carry_workflow_poll(p_run, p_registration, p_carried -> 'workflow_poll', p_now, v_answer);
    end if;
    if p_carried -> 'activity_poll' is not null then
        if (p_carried -> 'activity_poll' ->> 'if_applied')::boolean and not p_is_continued then
            v_answer := byssus.with_part(v_answer, 'activity_poll', (byssus.empty_poll()).body);
        else
            v_answer := byssus.carry_activity_poll(p_run, p_registration, p_carried -> 'activity_poll', p_now, v_answer);
        end if;
    end if;
    return v_answer;
end;
$$;

comment on function byssus.carry_polls(
    byssus.runs, byssus.worker_registrations, json, boolean, timestamptz, byssus.answer
) is 'Makes the polls that a completion carries, each in a savepoint of its own.';
