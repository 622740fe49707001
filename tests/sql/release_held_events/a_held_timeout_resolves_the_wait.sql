begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 60));
select signal();
select claim('w1', 'p2');
select pass_time(60);
select byssus.fire_due_timers(9);
select byssus.release_held_events(the_run(), moment());
select is((events())[5:], array['TimerFired'], 'it enters history');
select is((the_run()).open_wait_position, null, 'the wait is over');
select is((the_run()).open_wait_has_news, false, 'and needs no news');

select * from finish();
rollback;
