begin;
select plan(4);
set local role byssus_owner;

select register_sticky('w1', '{"sdk_version":"2.12.0"}');
select register_sticky('w2', '{"build_id":null,"sdk_version":"2.12.0"}');
select register_sticky('w3', '{"build_id":null}');
select leased_run();
create function pg_temp.outcome(p_worker text, p_build text) returns text language sql as $$
    select (byssus.sticky_refusal(
        byssus_test.the_run(), byssus_test.the_task(), byssus_test.the_registration(p_worker),
        byssus_test.sticky_cache(byssus_test.run(), jsonb_build_object('build_id', p_build))
    )).outcome
$$;
select is(pg_temp.outcome('w1', 'b1'), null, 'the build');
select is(pg_temp.outcome('w1', '2.12.0'), 'sticky_cache_identity_mismatch', 'not the version beside it');
select is(pg_temp.outcome('w2', '2.12.0'), null, 'the version where there is no build');
select is(pg_temp.outcome('w3', '2.12.0'), 'sticky_cache_identity_mismatch', 'with neither nothing fits');

select * from finish();
rollback;
