-- Offers again what workers have leased and neither answered nor renewed in time.
--
-- p_batch_size  how many workflow tasks at most, and how many activities.
-- Outcomes      swept: how many leases ended, and whether there may be more.
-- Locks         the run of each, then its task or activity, skipping what others hold: this holds several runs at
--               once, and waits for none.
-- Writes        workflow_tasks, activities, and what was held meanwhile: inbox, runs, history_events.
create or replace function byssus.expire_leases(p_batch_size integer)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_due record;
    v_run byssus.runs;
    v_task byssus.workflow_tasks;
    v_activity byssus.activities;
    v_tasks integer := 0;
    v_activities integer := 0;
    v_ended integer := 0;
    v_hints text[] := array[]::text[];
begin
    for v_due in
        select t.run_id from byssus.workflow_tasks as t
        where t.status = 'leased' and t.lease_expires_at <= v_now
        order by t.lease_expires_at, t.run_id
        limit p_batch_size
    loop
        v_tasks := v_tasks + 1;
        select * into v_run from byssus.runs as r where r.run_id = v_due.run_id
        for no key update skip locked;
        select * into v_task from byssus.workflow_tasks as t where t.run_id = v_run.run_id
        for update skip locked;
        continue when v_task.lease_expires_at is null or v_task.lease_expires_at > v_now;

        v_ended := v_ended + 1;
        v_hints := v_hints || byssus.end_workflow_lease(v_run, v_now, v_now)
            || ('["run","' || v_run.run_id || '"]');
    end loop;

    for v_activity in
        select a.* from byssus.activities as a
        where a.status = 'running' and a.lease_expires_at <= v_now
        order by a.lease_expires_at, a.run_id, a.position
        limit p_batch_size
        for update skip locked
    loop
        v_activities := v_activities + 1;
        v_ended := v_ended + 1;
        perform byssus.end_activity_lease(v_activity, v_now);
        v_hints := v_hints || byssus.ready_hint('activity', v_activity.namespace, v_activity.task_queue);
    end loop;

    return byssus.swept(v_ended, v_ended > 0 and p_batch_size in (v_tasks, v_activities), v_hints);
end;
$$;

comment on function byssus.expire_leases(integer) is 'Makes workflow tasks and activities with expired leases ready again.';
