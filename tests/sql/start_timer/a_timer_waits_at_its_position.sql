begin;
select plan(6);
set local role byssus_owner;

select leased_run();
update byssus.runs set last_authored_position = 3;
create temporary table made as select * from byssus.start_timer(the_run(), leaf(timer(90), 3, 0, 2)::json, moment());
select is((select types from made), array['TimerScheduled'], 'its event');
select is((select payloads[1]::jsonb ->> 'timer_id' from made), run() || ':t3', 'at its position');
select is((select payloads[1]::jsonb ->> 'fire_at' from made), '2030-01-01T00:01:30.000000Z', 'says when it is due');
select is((select hint from made), '["due","2030-01-01T00:01:30.000000Z"]', 'like the hint');
select is((the_timer(run(), 3)).fire_at, moment(90), 'and the row');
select is((the_timer(run(), 3)).group_size, 2, 'which knows its group');

select * from finish();
rollback;
