begin;
select plan(4);
set local role byssus_app;

select leased_run();
create temporary table answered as select * from byssus.release_workflow_task('default', task(), 'w1', 1);
select is((select outcome from answered), 'released', 'released');
select is((select hints from answered), '[["workflow","default","q"]]', 'pollers are told');
select is((the_task()).status, 'ready', 'the task is ready');
select is((claim('w1', 'p9')).body::jsonb #>> '{task,workflow_task_attempt}', '2', 'its next attempt is the second');

select * from finish();
rollback;
