begin;
select plan(2);
set local role byssus_app;

select leased_run();
select pass_time(60);
select is((byssus.heartbeat_workflow_task('default', task(), 'w1', 1, 60)).outcome, 'lease_expired', 'too late');
select is((the_task()).lease_expires_at, moment(), 'it stays as it was');

select * from finish();
rollback;
