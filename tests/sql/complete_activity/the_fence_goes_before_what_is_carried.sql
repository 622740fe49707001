begin;
select plan(1);
set local role byssus_app;

select running_activity();
select byssus.cancel_run('default', 'wf', null, null, null, 'd');
select is((finish_activity('{}')).outcome, 'run_cancelled', 'the run is over');

select * from finish();
rollback;
