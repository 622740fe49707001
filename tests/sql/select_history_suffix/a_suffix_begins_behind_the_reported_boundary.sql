begin;
select plan(4);
set local role byssus_owner;

select retained_run();
create function pg_temp.after(p_reported bigint, p_delivered bigint, p_last bigint) returns bigint language sql as $$
    select byssus.select_history_suffix(
        jsonb_populate_record(
            byssus_test.the_affinity(),
            jsonb_build_object('reported_sequence', p_reported, 'delivered_sequence', p_delivered)
        ),
        byssus_test.the_registration(), 'sticky_hit_expected', p_last
    )
$$;
select is(pg_temp.after(12, 12, 15), 12::bigint, 'three events are new');
select is(pg_temp.after(10, 12, 15), 10::bigint, 'the worker keeps less than it was given');
select is(pg_temp.after(15, 15, 15), 15::bigint, 'nothing is new: an empty suffix');
select is(pg_temp.after(1, 1, 2), 1::bigint, 'the first event is boundary enough');

select * from finish();
rollback;
