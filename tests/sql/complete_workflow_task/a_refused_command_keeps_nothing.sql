begin;
select plan(3);
set local role byssus_app;

select register_sticky();
select leased_run();
select is(
    (retain(run(), '{"hit":9}', leaf(schedule(), 1, 0, 2), leaf(schedule(), 3, 1, 2))).outcome, 'invalid_commands', 'refused'
);
select is((the_affinity()).run_id, null, 'the run is in no cache');
select is((the_liveness()).sticky_hits, 0::bigint, 'nor are there totals');

select * from finish();
rollback;
