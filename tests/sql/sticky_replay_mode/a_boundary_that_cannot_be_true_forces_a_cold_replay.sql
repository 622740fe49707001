begin;
select plan(4);
set local role byssus_owner;

select retained_run();
create function pg_temp.mode(p_reported bigint, p_delivered bigint, p_last bigint) returns text language sql as $$
    select byssus.sticky_replay_mode(
        jsonb_populate_record(
            byssus_test.the_affinity(),
            jsonb_build_object('reported_sequence', p_reported, 'delivered_sequence', p_delivered)
        ),
        byssus_test.the_registration(), p_last, byssus_test.moment()
    )
$$;
select is(pg_temp.mode(3, 3, 3), 'sticky_hit_expected', 'all of it was delivered and is there');
select is(pg_temp.mode(4, 3, 9), 'forced_cold_replay', 'more than was delivered');
select is(pg_temp.mode(4, 4, 3), 'forced_cold_replay', 'more than the run has');
select is(pg_temp.mode(null, 3, 3), 'sticky_hit_expected', 'none was reported');

select * from finish();
rollback;
