begin;
select plan(4);
set local role byssus_owner;

select retained_run();
select signal();
create function pg_temp.reason(p_basis bigint, p_delivered bigint, p_until timestamptz) returns text language sql as $$
    select byssus.continuation_refusal(
        jsonb_populate_record(byssus_test.the_run(), '{"last_history_sequence":5}'),
        null::byssus.workflow_tasks,
        jsonb_populate_record(
            byssus_test.the_affinity(),
            jsonb_build_object('delivered_sequence', p_delivered, 'sticky_until', p_until)
        ),
        byssus_test.the_registration(), false, json_build_object('basis_sequence', p_basis, 'commands', '[]'), true,
        byssus_test.moment()
    )
$$;
select is(pg_temp.reason(4, 5, moment(1)), null, 'more than it says may have been given to it');
select is(pg_temp.reason(4, 4, moment(0.000001)), null, 'its cache need not last');
select is(pg_temp.reason(5, 5, moment(1)), 'history_moved', 'the result is not part of the basis');
select is(pg_temp.reason(3, 5, moment(1)), 'history_moved', 'nor may anything else come between');

select * from finish();
rollback;
