begin;
select plan(3);
set local role byssus_owner;

select running_activity();
select leased_run('other');
select is(byssus.expire_worker_leases('default', 'w1', moment(9)), 1, 'one workflow task among it');
select is((the_task(run('other'))).lease_expires_at, moment(9), 'the task');
select is((the_activity()).lease_expires_at, moment(9), 'and the activity');

select * from finish();
rollback;
