begin;
select plan(4);
set local role byssus_app;

select running_activity();
create temporary table told as
select * from finish_activity(jsonb_build_object('workflow_poll', carried_poll('a')));
select is((select outcome from told), 'worker_capability_not_supported', 'refused');
select is(
    (select body::jsonb - 'remediation' from told),
    jsonb_build_object(
        'reason', 'worker_capability_not_supported', 'task_id', activity(), 'activity_attempt_id', attempt(),
        'outcome', 'rejected', 'recorded', false, 'capability', 'merged_transitions'
    ),
    'with what is missing'
);
select is((the_activity()).status, 'running', 'the attempt goes on');
select is((finish_activity(null, 'other')).outcome, 'completed', 'nothing was recorded');

select * from finish();
rollback;
