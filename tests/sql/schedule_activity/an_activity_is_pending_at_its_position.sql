begin;
select plan(8);
set local role byssus_owner;

select start('wf', '{"build_id":"b1","priority":3}');
update byssus.runs set last_authored_position = 6;
create temporary table made as
select * from byssus.schedule_activity(
    the_run(), schedule('{"task_queue":"q2","heartbeat_timeout":9,"schedule_to_close_timeout":60}')::json, moment()
);
select is((select types from made), array['ActivityScheduled'], 'its event');
select is((select payloads[1]::jsonb ->> 'activity_execution_id' from made), run() || ':a6', 'at its position');
select is((select hint from made), '["activity","default","q2"]', 'its queue is told');
select is((the_activity(run(), 6)).status, 'pending', 'it can be claimed');
select is((the_activity(run(), 6)).priority, 3::smallint, 'at the priority of its run');
select is((the_activity(run(), 6)).build_id::text, 'b1', 'by a worker of its build');
select is((the_activity(run(), 6)).schedule_to_close_deadline_at, moment(60), 'until its deadline');
select is((the_activity(run(), 6)).timeout_at, moment(60), 'which is its first timeout');

select * from finish();
rollback;
