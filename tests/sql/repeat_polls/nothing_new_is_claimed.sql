begin;
select plan(4);
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
select is(
    (pg_temp.repeat(pg_temp.both())).body::jsonb - 'outcome',
    '{"workflow_poll":{"task":null,"poll_status":"empty"},"activity_poll":{"task":null,"poll_status":"empty"}}',
    'both are empty'
);
select is((the_task()).status, 'ready', 'the task waits');
select is((the_activity(run('other'))).status, 'pending', 'and so does the activity');
select is((pg_temp.repeat('{}')).body, '{"outcome":"completed"}', 'without polls there are no members');

select * from finish();
rollback;
