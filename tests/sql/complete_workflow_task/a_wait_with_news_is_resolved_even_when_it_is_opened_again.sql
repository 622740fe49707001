begin;
select plan(4);
set local role byssus_app;

select waiting_run('wf', wait_for('paid', 60));
select signal();
select claim('w1', 'p2');
select pass_time(5);
select complete(run(), wait_for('paid', 60));
select is(
    (events())[4:], array['SignalReceived', 'ConditionWaitSatisfied', 'ConditionWaitOpened', 'TimerScheduled'],
    'the old wait is satisfied, a new one is open'
);
select is((the_run()).open_wait_position, 2, 'at the next position');
select is((the_run()).open_wait_has_news, false, 'without news');
select is((the_timer(run(), 2)).fire_at, moment(60), 'and with a timeout of its own');

select * from finish();
rollback;
