begin;
select plan(5);
set local role byssus_owner;

select running_activity();
select leased_run('other');
select is(byssus.expire_worker_leases('default', 'w2', moment()), 0, 'another worker');
select is(byssus.expire_worker_leases('elsewhere', 'w1', moment()), 0, 'another namespace');
select is(byssus.expire_worker_leases('default', 'w1', moment(60)), 0, 'what has run out already');
select is((the_task(run('other'))).lease_expires_at, moment(60), 'the task stays leased');
select is((the_activity()).lease_expires_at, moment(60), 'and the activity');

select * from finish();
rollback;
