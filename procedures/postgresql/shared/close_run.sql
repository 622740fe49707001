-- Closes a run: its terminal event, what becomes of open work and of signals that were never applied, all in
-- the transaction that closes it. A closed run never grows afterwards.
--
-- An operator or a deadline closes a run over the worker's head: results that were held come first, open
-- activities and timers get their cancellation, then the terminal event. A worker closes it by its own
-- commands: the terminal event follows them at once, and held results come after it.
--
-- p_run               the run as it is to be closed; its row the caller has locked.
-- p_now               when it closes.
-- p_status            completed, failed, cancelled or terminated.
-- p_closed_reason     completed, failed, cancelled, terminated, timed_out or continued.
-- p_types, p_payloads events that come before all that, in order.
-- p_terminal_type     the terminal event, and
-- p_terminal_payload  its payload.
-- p_by_worker         whether a worker's commands close the run.
-- Result              the run's last history sequence.
-- Locks               the run's row (already held), then its activities.
-- Writes              activities, timers, inbox, workflow_tasks, affinities, runs, history_events.
create or replace function byssus.close_run(
    p_run byssus.runs, p_now timestamptz, p_status text, p_closed_reason text, p_types text[], p_payloads text[],
    p_terminal_type text, p_terminal_payload text, p_by_worker boolean
)
returns bigint
language plpgsql
as $$
declare
    v_types text[] := p_types;
    v_payloads text[] := p_payloads;
    v_held_types text[];
    v_held_payloads text[];
    v_rejected text[];
    v_event record;
    v_sequence bigint;
begin
    select
        array_agg(i.event_type order by i.arrival) filter (where i.kind <> 'signal'),
        array_agg(i.payload order by i.arrival) filter (where i.kind <> 'signal')
    into v_held_types, v_held_payloads
    from byssus.inbox as i
    where i.run_id = p_run.run_id
        and (i.kind <> 'condition_timeout' or i.wait_position = p_run.open_wait_position);

    select array_agg(byssus.signal_rejection(s.event) order by s.place, s.number)
    into v_rejected
    from (
        select 1 as place, e.sequence as number, e.wire as event
        from byssus.history_events as e
        where e.run_id = p_run.run_id and e.sequence > p_run.applied_through_sequence
            and e.event_type = 'SignalReceived'
        union all
        select 2, i.arrival, i.payload
        from byssus.inbox as i where i.run_id = p_run.run_id and i.kind = 'signal'
    ) as s;

    if not p_by_worker then
        v_types := v_types || v_held_types;
        v_payloads := v_payloads || v_held_payloads;
    end if;

    -- Events say what the rows say now: a claim may have come in between.
    for v_event in
        with cancelled as (
            update byssus.activities as a
            set status = 'cancelled', closed_at = p_now, lease_owner = null, lease_expires_at = null,
                started_at = null, timeout_at = null
            where a.run_id = p_run.run_id and a.closed_at is null
            returning a.position, byssus.activity_event(a, '') as payload
        ),
        stopped as (
            delete from byssus.timers as t
            where t.run_id = p_run.run_id
            returning t.position, '{"sequence":' || t.position || t.event_members || '}' as payload
        )
        select c.position, 'ActivityCancelled' as event_type, c.payload from cancelled as c
        union all
        select s.position, 'TimerCancelled', s.payload from stopped as s
        order by position
    loop
        if not p_by_worker then
            v_types := v_types || v_event.event_type;
            v_payloads := v_payloads || v_event.payload;
        end if;
    end loop;

    v_types := v_types || p_terminal_type;
    v_payloads := v_payloads || p_terminal_payload;
    if p_by_worker then
        v_types := v_types || v_held_types;
        v_payloads := v_payloads || v_held_payloads;
    end if;
    v_types := v_types || array_fill('SignalRejected'::text, array[coalesce(cardinality(v_rejected), 0)]);
    v_payloads := v_payloads || v_rejected;

    delete from byssus.inbox as i where i.run_id = p_run.run_id;
    delete from byssus.workflow_tasks as t where t.run_id = p_run.run_id;
    perform byssus.clear_affinity(p_run.run_id);

    v_sequence := byssus.append_history(p_run.run_id, p_run.last_history_sequence, p_now, v_types, v_payloads);
    update byssus.runs as r
    set status = p_status, closed_reason = p_closed_reason, closed_at = p_now,
        last_authored_position = p_run.last_authored_position,
        applied_through_sequence = p_run.applied_through_sequence,
        has_answered_task = r.has_answered_task or p_by_worker,
        open_wait_position = null, open_wait_fields = null, open_wait_has_news = false
    where r.run_id = p_run.run_id;
    return v_sequence;
end;
$$;

comment on function byssus.close_run(
    byssus.runs, timestamptz, text, text, text[], text[], text, text, boolean
) is 'Closes a run with its terminal event, cancelling open work and rejecting signals that were never applied.';
