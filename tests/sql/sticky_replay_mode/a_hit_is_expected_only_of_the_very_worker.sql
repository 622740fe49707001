begin;
select plan(7);
set local role byssus_owner;

select retained_run();
create function pg_temp.mode(p_affinity jsonb, p_registration jsonb default '{}', p_last bigint default 2)
returns text language sql as $$
    select byssus.sticky_replay_mode(
        jsonb_populate_record(byssus_test.the_affinity(), p_affinity),
        jsonb_populate_record(byssus_test.the_registration(), p_registration), p_last, byssus_test.moment()
    )
$$;
select is(pg_temp.mode('{}'), 'sticky_hit_expected', 'the same worker, registration and build, in time');
select is(pg_temp.mode('{}', '{"worker_id":"w2"}'), 'forced_cold_replay', 'another worker');
select is(pg_temp.mode('{}', '{"registration_token":"t"}'), 'forced_cold_replay', 'another registration');
select is(pg_temp.mode('{}', '{"build_id":"b2"}'), 'forced_cold_replay', 'another build');
select is(pg_temp.mode('{}', '{"build_id":null,"sdk_version":"b1"}'), 'sticky_hit_expected', 'a version instead of a build');
select is(
    pg_temp.mode(jsonb_build_object('sticky_until', moment(0.000001))), 'sticky_hit_expected', 'a last microsecond'
);
select is(pg_temp.mode(jsonb_build_object('sticky_until', moment())), 'forced_cold_replay', 'and no longer');

select * from finish();
rollback;
