begin;
select plan(2);
set local role byssus_app;

select running_activity();
select byssus.fail_activity(
    'default', activity(), attempt(), 'w1', '{"non_retryable":false,"fields":"{\"message\":\"no\"}"}', 'd'
);
select pass_time(9.9);
select is((claim_activity('w1', 'p2')).outcome, 'empty', 'not yet');
select pass_time(0.1);
select is((claim_activity('w1', 'p2')).body::jsonb #>> '{task,attempt_number}', '2', 'now, as the second attempt');

select * from finish();
rollback;
