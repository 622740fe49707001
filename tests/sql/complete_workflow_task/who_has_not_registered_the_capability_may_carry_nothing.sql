begin;
select plan(5);
set local role byssus_app;

create function pg_temp.complete(p_carried jsonb, p_digest text default 'd', variadic p_commands jsonb[] default array[
    byssus_test.schedule()
]) returns byssus.answer language sql as $$
    select byssus.complete_workflow_task(
        'default', byssus_test.run() || ':k1', 'w1', 1, array_to_json(p_commands), p_digest,
        (select byssus_test.sticky_cache() where (byssus_test.the_task()).status = 'leased'), p_carried::json
    )
$$;
select register_sticky();
select leased_run();
create temporary table told as select * from pg_temp.complete(jsonb_build_object('workflow_poll', carried_poll('a')));
select is((select outcome from told), 'worker_capability_not_supported', 'refused');
select is(
    (select body::jsonb - 'remediation' from told),
    jsonb_build_object(
        'reason', 'worker_capability_not_supported', 'task_id', task(), 'workflow_task_attempt', 1,
        'outcome', 'rejected', 'recorded', false, 'capability', 'merged_transitions'
    ),
    'with what is missing'
);
select is((the_task()).status, 'leased', 'the task goes on');
select is(events(), array['WorkflowStarted'], 'nothing was recorded');
select is((pg_temp.complete(null, 'other')).outcome, 'completed', 'nor answered');

select * from finish();
rollback;
