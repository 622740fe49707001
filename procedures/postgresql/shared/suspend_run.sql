-- Ends a workflow task whose commands leave the run open: it waits for what comes, and what was held meanwhile
-- has come already.
--
-- p_run       the run as its commands left it; its row the caller has locked.
-- p_task      its leased task.
-- p_now       the moment.
-- p_types, p_payloads  the events of the commands.
-- p_hints     wake-up hints of the commands.
-- p_wakes     whether a command needs a further workflow task at once.
-- Result      outcome completed.
-- Locks       the run's row (already held).
-- Writes      inbox, runs, history_events, workflow_tasks.
create or replace function byssus.suspend_run(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_now timestamptz, p_types text[], p_payloads text[],
    p_hints text[], p_wakes boolean
)
returns byssus.answer
language plpgsql
as $$
declare
    v_held record;
    v_sequence bigint;
    v_hints text[] := p_hints;
begin
    delete from byssus.workflow_tasks as t where t.run_id = p_run.run_id;
    v_held := byssus.take_held_events(p_run.run_id, p_run.open_wait_position);
    v_sequence := byssus.append_history(
        p_run.run_id, p_run.last_history_sequence, p_now,
        p_types || v_held.types, p_payloads || v_held.payloads
    );
    update byssus.runs as r
    set status = 'waiting', has_answered_task = true, last_authored_position = p_run.last_authored_position,
        applied_through_sequence = p_run.applied_through_sequence,
        open_wait_position = case when not v_held.resolves_wait then p_run.open_wait_position end,
        open_wait_fields = case when not v_held.resolves_wait then p_run.open_wait_fields end,
        open_wait_has_news = not v_held.resolves_wait and p_run.open_wait_position is not null
        and (p_run.open_wait_has_news or v_held.has_signals)
    where r.run_id = p_run.run_id;
    if p_wakes or v_held.wakes then
        v_hints := v_hints || byssus.wake_run(p_run, v_sequence, p_now);
    end if;

    return (
        'completed',
        '{"task_id":"' || p_run.run_id || ':k' || p_task.task_number
        || '","outcome":"completed","recorded":true,"run_status":"waiting"}',
        '[' || array_to_string(v_hints, ',') || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.suspend_run(
    byssus.runs, byssus.workflow_tasks, timestamptz, text[], text[], text[], boolean
) is 'Completes a workflow task that leaves its run open.';
