begin;
select plan(11);
set local role byssus_app;

select leased_run();
create temporary table answered as
select * from complete(run(), schedule(), timer(30), side_effect(), wait_for('paid'));
select is((select outcome from answered), 'completed', 'the task is answered');
select is(
    (events())[2:], array['ActivityScheduled', 'TimerScheduled', 'SideEffectRecorded', 'ConditionWaitOpened'],
    'one event per command'
);
select is((select (body::jsonb ->> 'run_status') from answered), 'waiting', 'the run waits');
select is((the_run()).status, 'waiting', 'and says so');
select is((the_run()).last_authored_position, 4, 'positions are dense');
select is(payload('SideEffectRecorded') ->> 'sequence', '3', 'each event has its own');
select is((the_activity()).status, 'pending', 'there is an activity to claim');
select is((the_timer(run(), 2)).fire_at, moment(30), 'and a timer to fire');
select is((the_run()).open_wait_position, 4, 'and a wait to resolve');
select is(the_task(), null, 'the task is gone');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
