begin;
select plan(7);
set local role byssus_app;

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
select start('other');
create temporary table told as select * from pg_temp.complete(jsonb_build_object(
    'workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b', '{"history_after_sequence":1}')
));
select is((select outcome from told), 'completed', 'completed');
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'other', 'a task of another run');
select is((select body::jsonb #>> '{activity_poll,task,task_id}' from told), activity(), 'its own activity');
select is(
    (select jsonb_path_query_array(body::jsonb, '$.activity_poll.history_tail.events[*].event_type') from told),
    '["ActivityScheduled"]', 'with what the completion made of history'
);
select is((the_affinity()).delivered_sequence, 2::bigint, 'which counts as delivered');
select is((select hints from told), '[["run","' || run() || '"]]', 'nobody else is called');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
