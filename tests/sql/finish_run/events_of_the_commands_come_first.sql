begin;
select plan(3);
set local role byssus_owner;

select leased_run();
create temporary table answered as
select * from byssus.finish_run(the_run(), the_task(), fails()::json, moment(), array['Before'], array['{}']);
select is((select outcome from answered), 'completed', 'the task is answered');
select is((select body::jsonb ->> 'run_status' from answered), 'failed', 'the run has failed');
select is(events(), array['WorkflowStarted', 'Before', 'WorkflowFailed'], 'after what came before');

select * from finish();
rollback;
