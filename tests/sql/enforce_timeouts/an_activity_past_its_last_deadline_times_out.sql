begin;
select plan(1);
set local role byssus_app;

select running_activity('{"schedule_to_close_timeout":30}');
select pass_time(30);
select byssus.enforce_timeouts(50);
select is(payload('ActivityTimedOut') ->> 'timeout_kind', 'schedule_to_close', 'whatever it is doing');

select * from finish();
rollback;
