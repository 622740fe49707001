begin;
select plan(6);
set local role byssus_owner;

select start('wf', '{"priority":2,"build_id":"b7"}');
delete from byssus.workflow_tasks;
select is(byssus.wake_run(the_run(), 2, moment(3)), '["workflow","default","q"]', 'its queue is told');
select is(task(), run() || ':k2', 'the task is named by the sequence');
select is((the_task()).available_at, moment(3), 'and due when it was said');
select is((the_task()).priority, 2::smallint, 'at the priority of the run');
select is((the_task()).build_id::text, 'b7', 'for workers of its build');
select is((the_task()).attempt, 0, 'nobody has tried it');

select * from finish();
rollback;
