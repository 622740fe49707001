begin;
select plan(3);
set local role byssus_app;

select running_activity();
create temporary table asked as select attempt() as attempt_id;
select byssus.cancel_run('default', 'wf', null, null, null, 'd');
create temporary table answered as
select a.* from byssus.heartbeat_activity('default', activity(), (select attempt_id from asked), 'w1', null, 60) as a;
select is((select outcome from answered), 'run_cancelled', 'refused');
select is((select body::jsonb ->> 'cancel_requested' from answered), 'true', 'because of a cancellation');
select is((select body::jsonb ->> 'can_continue' from answered), 'false', 'it must not go on');

select * from finish();
rollback;
