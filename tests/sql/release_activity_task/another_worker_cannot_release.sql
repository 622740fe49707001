begin;
select plan(2);
set local role byssus_app;

select running_activity();
select is(
    (byssus.release_activity_task('default', activity(), attempt(), 'w2')).outcome, 'lease_owner_mismatch', 'refused'
);
select is((the_activity()).status, 'running', 'its holder keeps it');

select * from finish();
rollback;
