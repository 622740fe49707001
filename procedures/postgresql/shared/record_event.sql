-- Records an event that comes from outside workflow code: appended at once, or held while a workflow task is
-- leased, so that no history that a worker is replaying moves under it.
--
-- p_run            the run, whose row the caller has locked.
-- p_now            when it happened.
-- p_kind           signal, result or condition_timeout (see inbox).
-- p_type           the event type.
-- p_payload        the event's payload.
-- p_wakes          whether workflow code has to look at it now.
-- p_wait_position  the wait that a condition timeout resolves.
-- Result           the wake-up hints, as elements joined by commas; empty when none.
-- Locks            the run's row (already held).
-- Writes           inbox; or runs, history_events, workflow_tasks.
create or replace function byssus.record_event(
    p_run byssus.runs, p_now timestamptz, p_kind text, p_type text, p_payload text, p_wakes boolean,
    p_wait_position integer default null
)
returns text
language plpgsql
as $$
declare
    v_sequence bigint;
begin
    if (p_kind = 'signal' and not p_run.has_answered_task)
        or (select t.status from byssus.workflow_tasks as t where t.run_id = p_run.run_id) = 'leased'
    then
        insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes, wait_position)
        select p_run.run_id, coalesce(max(i.arrival), 0) + 1, p_kind, p_type, p_payload, p_wakes, p_wait_position
        from byssus.inbox as i where i.run_id = p_run.run_id;
        return '';
    end if;

    v_sequence := byssus.append_history(
        p_run.run_id, p_run.last_history_sequence, p_now, array[p_type], array[p_payload]
    );
    if p_kind = 'signal' then
        update byssus.runs as r set open_wait_has_news = true
        where r.run_id = p_run.run_id and r.open_wait_position is not null and not r.open_wait_has_news;
    elsif p_kind = 'condition_timeout' then
        update byssus.runs as r set open_wait_position = null, open_wait_fields = null, open_wait_has_news = false
        where r.run_id = p_run.run_id;
    end if;

    return '["run","' || p_run.run_id || '"]'
        || case when p_wakes then ',' || byssus.wake_run(p_run, v_sequence, p_now) else '' end;
end;
$$;

comment on function byssus.record_event(byssus.runs, timestamptz, text, text, text, boolean, integer) is
'Appends an outside event to history and wakes its run, or holds it in the inbox while a workflow task is leased.';
