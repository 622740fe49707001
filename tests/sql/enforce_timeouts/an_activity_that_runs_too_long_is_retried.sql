begin;
select plan(4);
set local role byssus_app;

select running_activity('{"start_to_close_timeout":30}');
select pass_time(30);
select is((byssus.enforce_timeouts(50)).body, '{"count":1,"more":false}', 'it has timed out');
select is((events())[3:], array['ActivityRetryScheduled'], 'an attempt is left');
select is(payload('ActivityRetryScheduled') ->> 'timeout_kind', 'start_to_close', 'history says which timeout');
select is((the_activity()).available_at, moment(10), 'the next attempt waits for the backoff');

select * from finish();
rollback;
