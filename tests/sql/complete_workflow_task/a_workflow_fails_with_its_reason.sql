begin;
select plan(3);
set local role byssus_app;

select leased_run();
select is((complete(run(), fails())).outcome, 'completed', 'the task itself is answered');
select is((the_run()).status, 'failed', 'the run has failed');
select is(payload('WorkflowFailed'), '{"message":"no more"}', 'history says why');

select * from finish();
rollback;
