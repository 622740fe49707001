begin;
select plan(7);
set local role byssus_app;

select register_sticky();
select leased_run();
select pass_time(1);
select is((retain(run(), '{"hit":3,"miss":2,"eviction":1,"forced_cold_replay":4}', wait_for())).outcome, 'completed', 'taken');
select is((the_affinity()).sticky_worker_id::text, 'w1', 'the run is in its cache');
select is((the_affinity()).sticky_until, moment(300), 'from now on');
select is((the_affinity()).reported_sequence, 1::bigint, 'through where it said');
select is((the_liveness()).sticky_hits, 3::bigint, 'its totals are kept');
select is((the_liveness()).sticky_forced_cold_replays, 4::bigint, 'all of them');
select is(events(), array['WorkflowStarted', 'ConditionWaitOpened'], 'history does not speak of it');

select * from finish();
rollback;
