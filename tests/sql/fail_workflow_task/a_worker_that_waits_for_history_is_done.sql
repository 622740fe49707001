begin;
select plan(3);
set local role byssus_app;

select leased_run();
create temporary table asked as select task() as task_id;
create temporary table answered as
select * from byssus.fail_workflow_task(
    'default', task(), 'w1', 1, '{"type":"WorkflowTaskWaitingForHistory","message":"nothing new"}', 'd'
);
select is((select outcome from answered), 'waiting_for_history', 'that is no failure');
select is(the_task(), null, 'the task is gone');
select is((the_run()).status, 'waiting', 'and the run waits');

select * from finish();
rollback;
