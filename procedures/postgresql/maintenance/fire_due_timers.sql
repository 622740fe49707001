-- Fires timers whose time has come, oldest first.
--
-- p_batch_size  how many at most.
-- Outcomes      swept: how many fired, and whether there may be more.
-- Locks         the run of each timer, skipping what others hold: this holds several runs at once, and waits for none.
-- Writes        timers; inbox, or runs, history_events, workflow_tasks.
create or replace function byssus.fire_due_timers(p_batch_size integer)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_due record;
    v_run byssus.runs;
    v_timer byssus.timers;
    v_count integer := 0;
    v_fired integer := 0;
    v_hints text[] := array[]::text[];
begin
    for v_due in
        select t.run_id, t.position from byssus.timers as t
        where t.fire_at <= v_now
        order by t.fire_at, t.run_id, t.position
        limit p_batch_size
    loop
        v_count := v_count + 1;
        select * into v_run from byssus.runs as r where r.run_id = v_due.run_id
        for no key update skip locked;
        delete from byssus.timers as t
        where t.run_id = v_run.run_id and t.position = v_due.position
        returning t.* into v_timer;
        continue when v_timer.run_id is null;

        v_fired := v_fired + 1;
        v_hints := v_hints || nullif(byssus.fire_timer(v_run, v_timer, v_now), '');
    end loop;

    return byssus.swept(v_fired, v_fired > 0 and v_count = p_batch_size, v_hints);
end;
$$;

comment on function byssus.fire_due_timers(integer) is 'Fires due timers and wakes their runs.';
