begin;
select plan(10);
set local role byssus_owner;

select running_activity();
create temporary table ended as
select * from byssus.retry_or_close_activity(
    the_run(), the_activity(), moment(), true, 'failed', 'ActivityFailed', ',"message":"no"'
);
select is((select outcome from ended), 'retry_scheduled', 'the policy allows another attempt');
select is((select available_at from ended), moment(10), 'after the first backoff');
select is((the_activity()).status, 'pending', 'the activity is pending');
select is((the_activity()).available_at, moment(10), 'and not due before');
select is((the_activity()).lease_owner, null, 'nobody holds it');
select is((events())[3:], array['ActivityRetryScheduled'], 'history says so');
select is(payload('ActivityRetryScheduled') ->> 'retry_available_at', '2030-01-01T00:00:10.000000Z', 'and when');
select is(payload('ActivityRetryScheduled') ->> 'message', 'no', 'and why');
select is(the_task(), null, 'workflow code is not bothered');
select matches(
    (select hints from ended), '"activity","default","q","2030-01-01T00:00:10.000000Z"', 'pollers are told when'
);

select * from finish();
rollback;
