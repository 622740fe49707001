begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 60));
select byssus.record_event(the_run(), moment(), 'result', 'Happened', '{}', true);
select claim('w1', 'p2');
select pass_time(60);
select byssus.fire_due_timers(9);
select byssus.suspend_run(the_run(), the_task(), moment(), '{}', '{}', array['"hint"'], false);
select is((events())[5:], array['TimerFired'], 'it enters history');
select is((the_run()).open_wait_position, null, 'the wait is over');
select is((the_task()).status, 'ready', 'workflow code goes on');

select * from finish();
rollback;
