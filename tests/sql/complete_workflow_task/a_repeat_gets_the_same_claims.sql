begin;
select plan(6);
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
create temporary table carried as select jsonb_build_object(
    'workflow_poll', carried_poll('a'), 'activity_poll', carried_poll('b', '{"history_after_sequence":1}')
) as parts;
create temporary table first as select * from pg_temp.complete((select parts from carried));
select start('third');
create temporary table again as select * from pg_temp.complete((select parts from carried));
select is((select body::jsonb from again), (select body::jsonb from first), 'the same answer');
select is((select hints from again), null, 'and no hints again');
select is((the_task(run('third'))).status, 'ready', 'nothing new is claimed');
create temporary table conflict as select * from pg_temp.complete((select parts from carried), 'other');
select is((select outcome from conflict), 'conflicting_completion', 'another body is refused');
select is((select body::jsonb ? 'workflow_poll' from conflict), false, 'with what it carries');
select pass_time(60);
select is(
    (pg_temp.complete((select parts from carried))).body::jsonb #>> '{activity_poll,poll_status}', 'empty',
    'claims last as their leases do'
);

select * from finish();
rollback;
