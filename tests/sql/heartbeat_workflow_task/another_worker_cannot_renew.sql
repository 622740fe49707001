begin;
select plan(2);
set local role byssus_app;

select leased_run();
select is((byssus.heartbeat_workflow_task('default', task(), 'w2', 1, 99)).outcome, 'lease_owner_mismatch', 'refused');
select is((the_task()).lease_expires_at, moment(60), 'the lease stays as it was');

select * from finish();
rollback;
