begin;
select plan(5);
set local role byssus_app;

select running_activity();
create temporary table answered as
select * from byssus.fail_activity(
    'default', activity(), attempt(), 'w1', '{"non_retryable":false,"fields":"{\"message\":\"no\"}"}', 'd'
);
select is((select outcome from answered), 'retry_scheduled', 'there are attempts left');
select is((select body::jsonb ->> 'retry_available_at' from answered), '2030-01-01T00:00:10.000000Z', 'after the backoff');
select is(payload('ActivityRetryScheduled') ->> 'message', 'no', 'history says why');
select is((the_activity()).status, 'pending', 'it waits for its next attempt');
select is(the_task(), null, 'workflow code is not bothered');

select * from finish();
rollback;
