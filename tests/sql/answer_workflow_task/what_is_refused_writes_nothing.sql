begin;
select plan(10);
set local role byssus_owner;

select register_sticky();
select leased_run();
create function pg_temp.answer(p_command jsonb, p_sticky jsonb default '{}') returns byssus.answer language sql as $$
    select byssus.answer_workflow_task(
        byssus_test.the_run(), byssus_test.the_task(), byssus_test.the_registration(),
        json_build_array(byssus_test.timer(), p_command), byssus_test.sticky_cache(byssus_test.run(), p_sticky),
        byssus_test.moment()
    )
$$;
select is(
    (pg_temp.answer(timer(), '{"run_id":"other"}')).outcome, 'sticky_cache_identity_mismatch', 'the cache of another run'
);
create temporary table told as select * from pg_temp.answer(leaf(timer(), 3, 0, 1));
select is((select outcome from told), 'invalid_commands', 'a command out of place');
select is((select body::jsonb ->> 'task_id' from told), task(), 'of this task');
select is((select body::jsonb -> 'workflow_task_attempt' from told), '1', 'and attempt');
select is((select body::jsonb -> 'command_index' from told), '1', 'which is named');
select is(
    (select body::jsonb ->> 'field' from told), 'commands.1.parallel_group_base_sequence', 'with what is wrong with it'
);
select is((the_task()).status, 'leased', 'the task goes on');
select is(events(), array['WorkflowStarted'], 'nothing was recorded');
select is(the_affinity(), null, 'nor kept');
select is(
    (pg_temp.answer(leaf(timer(), 3, 0, 1), '{"run_id":"other"}')).outcome, 'sticky_cache_identity_mismatch',
    'the cache is looked at first'
);

select * from finish();
rollback;
