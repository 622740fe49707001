begin;
select plan(9);
set local role byssus_owner;

select leased_run();
create function pg_temp.refusal(p_number bigint, p_owner text, p_attempt integer, p_change text default '')
returns text language plpgsql as $$
declare
    v_run byssus.runs := byssus_test.the_run();
    v_task byssus.workflow_tasks := byssus_test.the_task();
begin
    if p_change = 'closed' then v_run.closed_at := now(); end if;
    if p_change = 'deadline' then v_run.deadline_at := byssus_test.moment(); end if;
    if p_change = 'ready' then v_task.status := 'ready'; end if;
    return byssus.workflow_task_refusal(v_run, v_task, p_number, p_owner, p_attempt, byssus_test.moment());
end;
$$;
select is(byssus.workflow_task_refusal(null, null, 1, 'w1', 1, moment()), 'task_not_found', 'no run');
select is(pg_temp.refusal(null, 'w2', 2, 'closed'), 'task_not_found', 'no task id');
select is(pg_temp.refusal(2, 'w2', 2, 'closed'), 'task_not_found', 'a number that history has not reached');
select is(pg_temp.refusal(1, 'w2', 2, 'closed'), 'run_closed', 'a closed run');
select is(pg_temp.refusal(0, 'w2', 2), 'task_not_leased', 'an earlier task');
select is(pg_temp.refusal(1, 'w2', 2, 'ready'), 'task_not_leased', 'a task that nobody holds');
select is(pg_temp.refusal(1, 'w2', 2), 'lease_owner_mismatch', 'another worker');
select is(pg_temp.refusal(1, 'w1', 2), 'workflow_task_attempt_mismatch', 'another attempt');
select is(pg_temp.refusal(1, 'w1', 1, 'deadline'), 'run_timed_out', 'a run past its deadline');

select * from finish();
rollback;
