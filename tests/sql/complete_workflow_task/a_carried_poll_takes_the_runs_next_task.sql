begin;
select plan(4);
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
select start('older');
select signal();
create temporary table told as select * from pg_temp.complete(jsonb_build_object('workflow_poll', carried_poll('a')));
select is((select body::jsonb #>> '{workflow_poll,task,task_id}' from told), task(), 'what was held made a task');
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'wf', 'which comes before others');
select is(
    (select body::jsonb #> '{workflow_poll,task,history_last_sequence}' from told), '3', 'with all of its history'
);
select is(
    (select hints from told), '[["run","' || run() || '"],["activity","default","q"]]', 'nobody is called for that'
);

select * from finish();
rollback;
