begin;
select plan(4);
set local role byssus_owner;

select running_activity();
select byssus.cancel_run('default', 'wf', null, null, null, 'd');
create temporary table refused as
select body::jsonb as body from byssus.refuse_activity('default', 'run_cancelled', the_run(), 't', 'a', 'w1');
select is((select body ->> 'cancel_requested' from refused), 'true', 'cancelled');
select is((select body ->> 'run_status' from refused), 'cancelled', 'as the run says');
select is((select body ->> 'outcome' from refused), 'ignored', 'what the worker reports does not count any more');
select is((select body ->> 'heartbeat_recorded' from refused), 'false', 'nor does its heartbeat');

select * from finish();
rollback;
