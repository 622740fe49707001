begin;
select plan(5);
set local role byssus_owner;

select running_activity('{"start_to_close_timeout":30,"max_attempts":1}');
select isnt(byssus.time_out_activity(the_run(), 1, moment(30)), null, 'it has');
select is(payload('ActivityTimedOut') ->> 'timeout_kind', 'start_to_close', 'which one');
select is(payload('ActivityTimedOut') ->> 'failure_category', 'timeout', 'that it was a timeout');
select is(payload('ActivityTimedOut') ->> 'message', 'The activity''s start-to-close timeout has passed.', 'in words');
select is((the_activity()).status, 'timed_out', 'the activity has ended');

select * from finish();
rollback;
