-- Ends a workflow task whose worker had nothing to add: the run waits on, and what was held meanwhile wakes it.
--
-- p_run    the run, whose row the caller has locked.
-- p_task   its leased task.
-- p_now    the moment.
-- Result   outcome waiting_for_history.
-- Locks    the run's row (already held).
-- Writes   workflow_tasks, inbox, runs, history_events.
create or replace function byssus.acknowledge_workflow_task(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_now timestamptz
)
returns byssus.answer
language plpgsql
as $$
declare
    v_held record;
    v_sequence bigint;
    v_hints text := '["run","' || p_run.run_id || '"]';
begin
    delete from byssus.workflow_tasks as t where t.run_id = p_run.run_id;
    v_held := byssus.take_held_events(p_run.run_id, p_run.open_wait_position);
    v_sequence := byssus.append_history(
        p_run.run_id, p_run.last_history_sequence, p_now, v_held.types, v_held.payloads
    );
    update byssus.runs as r
    set status = 'waiting', has_answered_task = true, applied_through_sequence = p_task.claimed_sequence,
        open_wait_position = case when not v_held.resolves_wait then r.open_wait_position end,
        open_wait_fields = case when not v_held.resolves_wait then r.open_wait_fields end,
        open_wait_has_news = not v_held.resolves_wait and r.open_wait_position is not null
        and (r.open_wait_has_news or v_held.has_signals)
    where r.run_id = p_run.run_id;
    if v_held.wakes then
        v_hints := v_hints || ',' || byssus.wake_run(p_run, v_sequence, p_now);
    end if;

    return (
        'waiting_for_history',
        '{"task_id":"' || p_run.run_id || ':k' || p_task.task_number
        || '","outcome":"waiting_for_history","recorded":true,"run_status":"waiting"}',
        '[' || v_hints || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.acknowledge_workflow_task(byssus.runs, byssus.workflow_tasks, timestamptz) is
'Removes a workflow task whose worker waits for history, and wakes the run for what was held.';
