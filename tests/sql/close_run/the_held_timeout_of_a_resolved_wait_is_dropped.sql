begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 60));
select signal();
select claim();
select pass_time(60);
select byssus.fire_due_timers(10);
select is(held(), array['TimerFired'], 'the timeout of the open wait is held');
update byssus.runs set open_wait_position = null, open_wait_fields = null where run_id = run();
select byssus.close_run(the_run(), moment(), 'completed', 'completed', '{}', '{}', 'Ended', '{}', true);
select is((events())[5:], array['Ended', 'SignalRejected'], 'the wait was resolved before, and is resolved once');

select * from finish();
rollback;
