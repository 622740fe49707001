begin;
select plan(2);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
select pass_time(60);
select matches((byssus.expire_leases(50)).hints, '\["workflow","default","q"\]', 'it polls no more');
select register_sticky('w2');
select is((claim('w2', 'p3')).body::jsonb #>> '{task,sticky_replay_mode}', 'forced_cold_replay', 'another takes it');

select * from finish();
rollback;
