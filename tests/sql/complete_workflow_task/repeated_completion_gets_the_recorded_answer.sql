begin;
select plan(6);
set local role byssus_app;

select leased_run();
create temporary table asked as select task() as task_id;
create function pg_temp.again(p_owner text, p_digest text) returns byssus.answer language sql as $$
    select byssus.complete_workflow_task('default', (select task_id from asked), p_owner, 1, '[]', p_digest, null)
$$;
create temporary table first as
select * from byssus.complete_workflow_task('default', task(), 'w1', 1, json_build_array(timer()), 'digest', null);
select is((pg_temp.again('w1', 'digest')).outcome, 'completed', 'the same outcome');
select is((pg_temp.again('w1', 'digest')).body, (select body from first), 'the same body');
select is((pg_temp.again('w1', 'digest')).hints, null, 'and no hints again');
select is((pg_temp.again('w1', 'other')).outcome, 'conflicting_completion', 'another body is refused');
select is((pg_temp.again('w2', 'digest')).outcome, 'conflicting_completion', 'another caller is refused');
select is(events(), array['WorkflowStarted', 'TimerScheduled'], 'nothing was recorded twice');

select * from finish();
rollback;
