begin;
select plan(5);
set local role byssus_app;

select leased_run();
create temporary table answered as select * from complete(run(), completes());
select is((select body::jsonb ->> 'run_status' from answered), 'completed', 'the answer says so');
select is((the_run()).status, 'completed', 'and so does the run');
select is((the_run()).closed_reason, 'completed', 'with its reason');
select is(events(), array['WorkflowStarted', 'WorkflowCompleted'], 'history ends with it');
select is(
    (byssus.describe_run('default', 'wf', null)).body::jsonb -> 'output_envelope', envelope(), 'the output can be read'
);

select * from finish();
rollback;
