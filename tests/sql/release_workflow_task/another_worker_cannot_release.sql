begin;
select plan(2);
set local role byssus_app;

select leased_run();
select is((byssus.release_workflow_task('default', task(), 'w2', 1)).outcome, 'lease_owner_mismatch', 'refused');
select is((the_task()).status, 'leased', 'its holder keeps it');

select * from finish();
rollback;
