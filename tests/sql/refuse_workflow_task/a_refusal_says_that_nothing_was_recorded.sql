begin;
select plan(4);
set local role byssus_owner;

select leased_run();
create temporary table refused as
select outcome, body::jsonb as body from byssus.refuse_workflow_task('default', 'lease_expired', the_run(), 'the task', 3);
select is((select outcome from refused), 'lease_expired', 'the reason');
select is((select body ->> 'recorded' from refused), 'false', 'nothing was recorded');
select is((select body ->> 'workflow_task_attempt' from refused), '3', 'the attempt that called');
select is((select body -> 'cancel_requested' from refused), null, 'nobody cancelled the run');

select * from finish();
rollback;
