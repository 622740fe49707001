-- The one way into history: gives events the run's next sequence numbers and stores them in wire form.
--
-- p_run_id    the run, whose row the caller has locked.
-- p_sequence  the last history sequence as the caller remembers it.
-- p_now       when the events are recorded.
-- p_types     event types, in order.
-- p_payloads  payloads: JSON objects, one per type.
-- Result      the run's new last sequence, for the caller to remember.
-- Errors      BY003 when the run is not where the caller remembers it.
-- Locks       the run's row (already held).
-- Writes      runs, then history_events.
create or replace function byssus.append_history(
    p_run_id text, p_sequence bigint, p_now timestamptz, p_types text[], p_payloads text[]
)
returns bigint
language plpgsql
as $$
declare
    v_count integer := coalesce(cardinality(p_types), 0);
begin
    if v_count = 0 then
        return p_sequence;
    end if;

    update byssus.runs as r
    set last_history_sequence = p_sequence + v_count,
        history_size_bytes = r.history_size_bytes
            + octet_length(array_to_string(p_types, '')) + octet_length(array_to_string(p_payloads, '')),
        last_progress_at = p_now
    where r.run_id = p_run_id and r.last_history_sequence = p_sequence;

    if not found then
        raise exception 'history of run % does not end at %', p_run_id, p_sequence using errcode = 'BY003';
    end if;

    insert into byssus.history_events (run_id, sequence, event_type, recorded_at, wire)
    select
        p_run_id, p_sequence + e.number, e.event_type, p_now,
        '{"id":"' || p_run_id || ':e' || (p_sequence + e.number)
        || '","sequence":' || (p_sequence + e.number)
        || ',"event_type":"' || e.event_type
        || '","payload":' || e.payload
        || ',"recorded_at":"' || byssus.wire_time(p_now) || '"}'
    from unnest(p_types, p_payloads) with ordinality as e (event_type, payload, number);

    return p_sequence + v_count;
end;
$$;

comment on function byssus.append_history(text, bigint, timestamptz, text[], text[]) is
'Appends events to a run''s history and returns its new last sequence. The only writer of history_events.';
