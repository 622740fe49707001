-- Enforces deadlines: runs that have outlived theirs are closed, activities that have are retried or timed out.
--
-- p_batch_size  how many runs at most, and how many activities.
-- Outcomes      swept: how many timeouts struck, and whether there may be more.
-- Locks         the run of each, then its activities, skipping what others hold: this holds several runs at once, and
--               waits for no run.
-- Writes        through close_run; activities, inbox, runs, history_events, workflow_tasks.
create or replace function byssus.enforce_timeouts(p_batch_size integer)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_due record;
    v_run byssus.runs;
    v_runs integer := 0;
    v_activities integer := 0;
    v_struck integer := 0;
    v_hint text;
    v_hints text[] := array[]::text[];
begin
    for v_due in
        select r.run_id from byssus.runs as r
        where r.closed_at is null and r.deadline_at <= v_now
        order by r.deadline_at, r.run_id
        limit p_batch_size
    loop
        v_runs := v_runs + 1;
        select * into v_run from byssus.runs as r
        where r.run_id = v_due.run_id and r.closed_at is null
        for no key update skip locked;
        continue when v_run.run_id is null;

        v_struck := v_struck + 1;
        perform byssus.time_out_run(v_run, v_now);
        v_hints := v_hints || ('["run","' || v_run.run_id || '"]');
    end loop;

    for v_due in
        select a.run_id, a.position from byssus.activities as a
        where a.closed_at is null and a.timeout_at <= v_now
        order by a.timeout_at, a.run_id, a.position
        limit p_batch_size
    loop
        v_activities := v_activities + 1;
        select * into v_run from byssus.runs as r
        where r.run_id = v_due.run_id and r.closed_at is null
        for no key update skip locked;
        continue when v_run.run_id is null;

        v_hint := byssus.time_out_activity(v_run, v_due.position, v_now);
        v_struck := v_struck + (v_hint is not null)::integer;
        v_hints := v_hints || nullif(v_hint, '');
    end loop;

    return byssus.swept(v_struck, v_struck > 0 and p_batch_size in (v_runs, v_activities), v_hints);
end;
$$;

comment on function byssus.enforce_timeouts(integer) is 'Closes runs past their deadline and times out activities.';
