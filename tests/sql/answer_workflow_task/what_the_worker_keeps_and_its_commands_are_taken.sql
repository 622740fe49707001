begin;
select plan(4);
set local role byssus_owner;

select register_sticky();
select leased_run();
create temporary table answered as select * from byssus.answer_workflow_task(
    the_run(), the_task(), the_registration(), json_build_array(timer()), sticky_cache(), moment()
);
select is((select outcome from answered), 'completed', 'completed');
select is(events(), array['WorkflowStarted', 'TimerScheduled'], 'with its commands');
select is(the_task(), null, 'the task is over');
select is((the_affinity()).sticky_worker_id::text, 'w1', 'the run is in its cache');

select * from finish();
rollback;
