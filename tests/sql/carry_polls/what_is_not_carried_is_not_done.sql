begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.carry(p_carried jsonb, p_is_continued boolean default false) returns byssus.answer
language sql as $$
    select byssus.carry_polls(
        byssus_test.the_run(), byssus_test.the_registration(), p_carried::json, p_is_continued, byssus_test.moment(),
        byssus_test.completed('[["run","r"]]')
    )
$$;
select register_merging();
select waiting_run('other', schedule());
select start();
select is((pg_temp.carry('{}')).body, '{"outcome":"completed"}', 'neither');
select is(
    (pg_temp.carry(jsonb_build_object('activity_poll', carried_poll('b', '{"task_queue":"x"}')))).body::jsonb
    ? 'workflow_poll', false, 'no poll for a workflow task'
);
select is(
    (pg_temp.carry(jsonb_build_object('workflow_poll', carried_poll('a', '{"task_queue":"x"}')))).body::jsonb
    ? 'activity_poll', false, 'no poll for an activity'
);
select is((the_task()).status, 'ready', 'the task waits');
select is((the_activity(run('other'))).status, 'pending', 'and so does the activity');

select * from finish();
rollback;
