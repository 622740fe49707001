begin;
select plan(6);
set local role byssus_owner;

create function pg_temp.complete(p_carried jsonb, p_digest text default 'd', variadic p_commands jsonb[] default array[
    byssus_test.schedule()
]) returns byssus.answer language sql as $$
    select byssus.complete_workflow_task(
        'default', byssus_test.run() || ':k1', 'w1', 1, array_to_json(p_commands), p_digest,
        (select byssus_test.sticky_cache() where (byssus_test.the_task()).status = 'leased'), p_carried::json
    )
$$;
select register_merging();
select leased_run();
create trigger broken before update on byssus.activities for each row execute function byssus_test.breaks();
create temporary table told as select * from pg_temp.complete(jsonb_build_object(
    'workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b', '{"history_after_sequence":1}')
));
select is((select outcome from told), 'completed', 'the completion stands');
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'failed', 'the part failed');
select is((the_activity()).status, 'pending', 'another can have the activity');
select is(
    (select hints from told),
    '[["run","' || run() || '"],["activity","default","q"],["failed","activity_poll","BY999"]]',
    'and is called for it'
);
select is((the_affinity()).sticky_worker_id::text, 'w1', 'what the worker said of its cache stands');
select is((pg_temp.complete(null)).outcome, 'completed', 'the answer was recorded');

select * from finish();
rollback;
