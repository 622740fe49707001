begin;
select plan(4);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
select retain(run(), '{"hit":9}', wait_for('more'));
select register_sticky();
select is((the_liveness()).polling_until, null, 'it has not polled yet');
select is((the_liveness()).sticky_hits, 0::bigint, 'nor found anything in its cache');
select is((signal()).hints, format('[["run","%s"],["workflow","default","q"]]', run()), 'no task waits for it');
select is((claim('w1', 'p3')).body::jsonb #>> '{task,sticky_replay_mode}', 'forced_cold_replay', 'it replays cold');

select * from finish();
rollback;
