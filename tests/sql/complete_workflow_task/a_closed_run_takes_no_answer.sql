begin;
select plan(3);
set local role byssus_app;

select leased_run();
create temporary table asked as select task() as task_id;
select byssus.cancel_run('default', 'wf', null, null, null, 'd');
create temporary table answered as
select a.* from byssus.complete_workflow_task(
    'default', (select task_id from asked), 'w1', 1, json_build_array(timer()), 'd', null
) as a;
select is((select outcome from answered), 'run_closed', 'the fence says so');
select is((select body::jsonb ->> 'cancel_requested' from answered), 'true', 'and that it was cancelled');
select is((events())[2:], array['CancelRequested', 'WorkflowCancelled'], 'nothing is recorded behind the end');

select * from finish();
rollback;
