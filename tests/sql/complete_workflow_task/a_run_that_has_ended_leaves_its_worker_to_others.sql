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
create temporary table told as select * from pg_temp.complete(
    jsonb_build_object('workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b')), 'd', completes()
);
select is((the_run()).status, 'completed', 'the run has ended');
select is((select body::jsonb #>> '{workflow_poll,task,workflow_id}' from told), 'other', 'its worker goes on with another');
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'empty', 'as far as there is one');

select * from finish();
rollback;
