begin;
select plan(3);
set local role byssus_owner;

select retained_run();
select signal();
create function pg_temp.reason(variadic p_types text[]) returns text language sql as $$
    select byssus.continuation_refusal(
        byssus_test.the_run(), null::byssus.workflow_tasks, byssus_test.the_affinity(), byssus_test.the_registration(), false,
        json_build_object('basis_sequence', 2, 'commands', (
            select json_agg(json_build_object('type', t.type))::text from unnest(p_types) as t (type)
        )), true, byssus_test.moment()
    )
$$;
update byssus.affinities set delivered_sequence = 2;
select is(
    pg_temp.reason(
        'schedule_activity', 'start_timer', 'record_side_effect', 'record_local_activity', 'complete_workflow',
        'fail_workflow'
    ),
    null, 'these'
);
select is(pg_temp.reason('start_timer', 'open_condition_wait'), 'unsupported_continuation_command', 'not a wait');
select is(pg_temp.reason('continue_as_new'), 'unsupported_continuation_command', 'nor a new run');

select * from finish();
rollback;
