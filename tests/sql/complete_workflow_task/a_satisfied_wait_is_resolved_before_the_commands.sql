begin;
select plan(4);
set local role byssus_app;

select waiting_run('wf', wait_for('paid', 60));
select signal();
select claim('w1', 'p2');
select complete(run(), timer());
select is(
    (events())[4:], array['SignalReceived', 'ConditionWaitSatisfied', 'TimerScheduled'],
    'workflow code went on, so the condition was true'
);
select is(payload('ConditionWaitSatisfied') ->> 'condition_wait_id', run() || ':w1', 'of the wait that was open');
select is((the_run()).open_wait_position, null, 'it is resolved once');
select is(the_timer(run(), 1), null, 'and its timeout cannot fire any more');

select * from finish();
rollback;
