begin;
select plan(3);
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
select is(
    (pg_temp.complete(
        jsonb_build_object('workflow_poll', carried_poll('a')), 'd', leaf(schedule(), 7, 0, 1)
    )).outcome, 'invalid_commands', 'refused'
);
select is((the_task(run('other'))).status, 'ready', 'and nothing was claimed');
select pass_time(60);
select is((pg_temp.complete('{}')).outcome, 'lease_expired', 'the fence goes before what is carried');

select * from finish();
rollback;
