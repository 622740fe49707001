begin;
select plan(3);
set local role byssus_app;

select running_activity();
select running_activity('{}', 'other');
select is(
    (byssus.fail_activity(
        'default', activity(), attempt(), 'w1', '{"non_retryable":true,"fields":"{\"message\":\"no\"}"}', 'd'
    )).outcome, 'failed', 'the worker said so'
);
select is((the_task()).status, 'ready', 'workflow code has to look');
select is(
    (byssus.fail_activity(
        'default', activity(run('other')), attempt(run('other')), 'w1',
        '{"type":"Fatal","non_retryable":false,"fields":"{\"message\":\"no\"}"}', 'd'
    )).outcome, 'failed', 'the policy says so of this type'
);

select * from finish();
rollback;
