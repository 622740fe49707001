begin;
select plan(2);
set local role byssus_app;

select register_sticky();
select leased_run();
create temporary table asked as select task() as task_id, sticky_cache(run(), '{"run_id":"another"}') as sticky;
select complete(run(), timer());
create temporary table answered as
select a.* from asked as q
cross join lateral byssus.complete_workflow_task('default', q.task_id, 'w1', 1, '[]', 'd', q.sticky) as a;
select is((select outcome from answered), 'conflicting_completion', 'it has been answered');
select is((the_affinity()).run_id, null, 'and nothing is kept');

select * from finish();
rollback;
