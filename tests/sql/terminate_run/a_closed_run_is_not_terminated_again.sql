begin;
select plan(3);
set local role byssus_app;

select start();
select byssus.terminate_run('default', 'wf', null, null, null, 'd');
create temporary table answered as select * from byssus.terminate_run('default', 'wf', null, null, null, 'd');
select is((select outcome from answered), 'run_not_active', 'it has ended');
select is((select body::jsonb ->> 'run_status' from answered), 'terminated', 'the answer says how');
select is(cardinality(events()), 3, 'and history has not grown');

select * from finish();
rollback;
