begin;
select plan(3);
set local role byssus_app;

select leased_run();
select pass_time(50);
create temporary table answered as select * from byssus.heartbeat_workflow_task('default', task(), 'w1', 1, 60);
select is((select outcome from answered), 'renewed', 'renewed');
select is((the_task()).lease_expires_at, moment(60), 'from now on');
select is((select body::jsonb ->> 'lease_expires_at' from answered), '2030-01-01T00:01:50.000000Z', 'as the answer says');

select * from finish();
rollback;
