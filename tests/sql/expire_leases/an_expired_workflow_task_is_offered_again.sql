begin;
select plan(7);
set local role byssus_app;

select leased_run();
select pass_time(59);
select is((byssus.expire_leases(50)).body, '{"count":0,"more":false}', 'not while the lease lives');
select pass_time(1);
create temporary table answered as select * from byssus.expire_leases(50);
select is((select body from answered), '{"count":1,"more":false}', 'then it ends');
select is((the_task()).status, 'ready', 'the task is ready');
select is((the_task()).attempt, 1, 'its attempt is raised by the next claim');
select is((the_task()).lease_owner, null, 'nobody holds it');
select matches((select hints from answered), '\["workflow","default","q"\]', 'pollers are told');
select is((claim('w1', 'p2')).body::jsonb #>> '{task,workflow_task_attempt}', '2', 'the next attempt is the second');

select * from finish();
rollback;
