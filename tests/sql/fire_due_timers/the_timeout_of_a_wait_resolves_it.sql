begin;
select plan(5);
set local role byssus_app;

select waiting_run('wf', wait_for('paid', 10));
select pass_time(10);
select byssus.fire_due_timers(50);
select is((events())[4:], array['TimerFired'], 'recorded');
select is(payload('TimerFired') ->> 'timer_kind', 'condition_timeout', 'as the timeout of a wait');
select is((the_run()).open_wait_position, null, 'the wait is over');
select is((the_task()).status, 'ready', 'workflow code goes on');
select claim('w1', 'p2');
select complete(run(), timer());
select is((events())[5:], array['TimerScheduled'], 'and it is not satisfied as well');

select * from finish();
rollback;
