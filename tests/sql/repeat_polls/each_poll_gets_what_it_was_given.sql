begin;
select plan(6);
set local role byssus_owner;

create function pg_temp.repeat(p_carried jsonb) returns byssus.answer language sql as $$
    select byssus.repeat_polls(
        byssus_test.the_run(), byssus_test.the_registration(), p_carried::json, byssus_test.moment(),
        ('completed', '{"outcome":"completed"}', null)::byssus.answer
    )
$$;
create function pg_temp.both(p_more jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_object(
        'workflow_poll', byssus_test.carried_poll('a'), 'activity_poll', byssus_test.carried_poll('b', p_more)
    )
$$;
select register_merging();
select waiting_run('other', schedule());
select start();
select claim('w1', 'a');
select claim_activity('w1', 'b');
create temporary table told as select * from pg_temp.repeat(pg_temp.both());
select is((select outcome from told), 'completed', 'the recorded outcome');
select is((select hints from told), null, 'without hints');
select is((select body::jsonb #>> '{workflow_poll,task,task_id}' from told), task(), 'the workflow task');
select is((select body::jsonb #>> '{activity_poll,task,task_id}' from told), activity(run('other')), 'the activity');
select is(
    (select body::jsonb #> '{workflow_poll,task,workflow_task_attempt}' from told), '1', 'on the same attempt'
);
select pass_time(60);
select is(
    (pg_temp.repeat(pg_temp.both())).body::jsonb - 'outcome',
    '{"workflow_poll":{"task":null,"poll_status":"empty"},"activity_poll":{"task":null,"poll_status":"empty"}}',
    'while their leases live'
);

select * from finish();
rollback;
