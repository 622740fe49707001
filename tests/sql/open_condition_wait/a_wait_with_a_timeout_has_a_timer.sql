begin;
select plan(6);
set local role byssus_owner;

select leased_run();
update byssus.runs set last_authored_position = 4;
create temporary table made as
select * from byssus.open_condition_wait(the_run(), wait_for('paid', 60)::json, moment());
select is((select types from made), array['ConditionWaitOpened', 'TimerScheduled'], 'its events');
select is((select payloads[1]::jsonb ->> 'condition_wait_id' from made), run() || ':w4', 'the wait at its position');
select is((select payloads[2]::jsonb ->> 'timer_kind' from made), 'condition_timeout', 'and its timer');
select is((the_timer(run(), 4)).fire_at, moment(60), 'which is due then');
select is((select hint from made), '["due","2030-01-01T00:01:00.000000Z"]', 'as the hint says');
select is((select wakes from made), false, 'the wait is not over');

select * from finish();
rollback;
