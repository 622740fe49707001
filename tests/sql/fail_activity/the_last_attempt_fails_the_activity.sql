begin;
select plan(4);
set local role byssus_app;

select running_activity('{"max_attempts":1}');
select is(
    (byssus.fail_activity(
        'default', activity(), attempt(), 'w1', '{"non_retryable":false,"fields":"{\"message\":\"no\"}"}', 'd'
    )).outcome, 'failed', 'no attempt is left'
);
select is((the_activity()).status, 'failed', 'the activity has ended');
select is((events())[3:], array['ActivityFailed'], 'history says so');
select is(payload('ActivityFailed') ->> 'failure_category', 'activity', 'and of which kind it is');

select * from finish();
rollback;
