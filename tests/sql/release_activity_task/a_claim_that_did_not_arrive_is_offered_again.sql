begin;
select plan(4);
set local role byssus_app;

select running_activity();
create temporary table answered as select * from byssus.release_activity_task('default', activity(), attempt(), 'w1');
select is((select outcome from answered), 'released', 'released');
select is((select hints from answered), '[["activity","default","q"]]', 'pollers are told');
select is((the_activity()).status, 'pending', 'it is pending');
select is((claim_activity('w1', 'p9')).body::jsonb #>> '{task,attempt_number}', '2', 'its next attempt is the second');

select * from finish();
rollback;
