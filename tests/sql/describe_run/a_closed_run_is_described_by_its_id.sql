begin;
select plan(6);
set local role byssus_app;

select leased_run();
create temporary table old as select run() as run_id;
select complete(run(), continues());
create temporary table answered as
select outcome, body::jsonb as body from byssus.describe_run('default', 'wf', (select run_id from old));
select is((select body ->> 'status' from answered), 'completed', 'it is closed');
select is((select body ->> 'closed_reason' from answered), 'continued', 'because it continued');
select is((select body ->> 'continued_to_run_id' from answered), run(), 'as the current run');
select is((select body ->> 'is_current_run' from answered), 'false', 'which it is not any more');
select is((select body ->> 'run_count' from answered), '2', 'of two');
select is((select body #>> '{actions,can_cancel}' from answered), 'false', 'nothing can be done with it');

select * from finish();
rollback;
