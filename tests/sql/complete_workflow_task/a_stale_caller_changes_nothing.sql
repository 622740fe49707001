begin;
select plan(9);
set local role byssus_app;

select leased_run();
create function pg_temp.outcome(p_task text, p_owner text, p_attempt integer, p_namespace text default 'default')
returns text language sql as $$
    select (byssus.complete_workflow_task(
        p_namespace, p_task, p_owner, p_attempt, json_build_array(byssus_test.completes()), 'd', null
    )).outcome
$$;
select is(pg_temp.outcome('nonsense', 'w1', 1), 'task_not_found', 'no task id');
select is(pg_temp.outcome(run() || ':k2', 'w1', 1), 'task_not_found', 'a task that never was');
select is(pg_temp.outcome(task(), 'w1', 1, 'elsewhere'), 'namespace_not_found', 'another namespace');
select is(pg_temp.outcome(task(), 'w2', 1), 'lease_owner_mismatch', 'another worker');
select is(pg_temp.outcome(task(), 'w1', 2), 'workflow_task_attempt_mismatch', 'another attempt');
select pass_time(60);
select is(pg_temp.outcome(task(), 'w1', 1), 'lease_expired', 'after the lease');
select byssus.expire_leases(10);
select is(pg_temp.outcome(task(), 'w1', 1), 'task_not_leased', 'and when it is ready again');
select is(events(), array['WorkflowStarted'], 'history is untouched');
select is((the_run()).status, 'pending', 'and so is the run');

select * from finish();
rollback;
