-- Ends a lease that was not completed: what was held meanwhile enters history.
--
-- p_run    the run, whose row the caller has locked.
-- p_now    when the lease ended.
-- Result   the run's last history sequence.
-- Locks    the run's row (already held).
-- Writes   inbox, runs, history_events.
create or replace function byssus.release_held_events(p_run byssus.runs, p_now timestamptz)
returns bigint
language plpgsql
as $$
declare
    v_held record;
    v_sequence bigint;
begin
    if not p_run.has_answered_task then
        return p_run.last_history_sequence;
    end if;

    v_held := byssus.take_held_events(p_run.run_id, p_run.open_wait_position);
    v_sequence := byssus.append_history(
        p_run.run_id, p_run.last_history_sequence, p_now, v_held.types, v_held.payloads
    );

    if v_held.resolves_wait then
        update byssus.runs as r set open_wait_position = null, open_wait_fields = null, open_wait_has_news = false
        where r.run_id = p_run.run_id;
    elsif v_held.has_signals and p_run.open_wait_position is not null then
        update byssus.runs as r set open_wait_has_news = true where r.run_id = p_run.run_id;
    end if;
    return v_sequence;
end;
$$;

comment on function byssus.release_held_events(byssus.runs, timestamptz) is
'Appends what was held during a lease that ended without a completion.';
