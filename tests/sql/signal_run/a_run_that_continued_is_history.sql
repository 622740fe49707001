begin;
select plan(2);
set local role byssus_app;

select leased_run();
create temporary table old as select run() as run_id;
select complete(run(), continues());
create temporary table named as
select * from byssus.signal_run('default', 'wf', (select run_id from old), 'go', null, null, 'd');
select is((select outcome from named), 'historical_run_command_rejected', 'its own run id does not reach the new run');
select is((signal()).body::jsonb ->> 'run_id', run(), 'the workflow id does');

select * from finish();
rollback;
