begin;
select plan(6);
set local role byssus_owner;

select leased_run();
create temporary table answered as select * from byssus.acknowledge_workflow_task(the_run(), the_task(), moment());
select is((select outcome from answered), 'waiting_for_history', 'the worker had nothing to add');
select is(the_task(), null, 'the task is gone');
select is((the_run()).status, 'waiting', 'the run waits');
select is((the_run()).has_answered_task, true, 'its first task has been answered');
select is((the_run()).applied_through_sequence, 1::bigint, 'with the history that it was given');
select is((select hints from answered)::jsonb, jsonb_build_array(jsonb_build_array('run', run())), 'nothing to claim');

select * from finish();
rollback;
