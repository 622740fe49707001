begin;
select plan(8);
set local role byssus_app;

select running_activity();
select signal();
select claim('w1', 'p2');
create temporary table answered as
select * from byssus.deregister_worker('default', 'w1', (the_registration()).registration_token, 600);
select is((select outcome from answered), 'deregistered', 'deregistered');
select is((select body::jsonb ->> 'recovered_workflow_task_count' from answered), '1', 'it held one workflow task');
select is((the_task()).lease_expires_at, moment(), 'which runs out now');
select is((the_activity()).lease_expires_at, moment(), 'like its activity');
select is((the_registration()).worker_id, null, 'the registration is gone');
select is(rows_of('worker_liveness'), 0::bigint, 'and so is its sign of life');
select is((claim('w1', 'p3')).outcome, 'worker_not_registered', 'it can claim nothing more');
select is((byssus.expire_leases(10)).body::jsonb ->> 'count', '2', 'maintenance offers both again');

select * from finish();
rollback;
