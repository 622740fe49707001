begin;
select plan(4);
set local role byssus_app;

select waiting_run('wf', schedule('{"schedule_to_start_timeout":30}'));
select pass_time(30);
select byssus.enforce_timeouts(50);
select is((events())[3:], array['ActivityTimedOut'], 'another attempt would not help');
select is(payload('ActivityTimedOut') ->> 'timeout_kind', 'schedule_to_start', 'history says which timeout');
select is((the_activity()).status, 'timed_out', 'the activity has ended');
select is((the_task()).status, 'ready', 'workflow code has to look');

select * from finish();
rollback;
