begin;
select plan(3);
set local role byssus_app;

select register_sticky('w2');
select retained_run();
select signal();
select is((claim('w2', 'p2')).outcome, 'empty', 'held');
select is(
    (byssus.register_worker('default', 'w1', 'q2', registration('{"sticky_execution":true}'))).hints,
    '[["due","2030-01-01T00:00:00.000000Z"],["workflow","default","q"]]', 'pollers of the queue are told'
);
select is(
    (claim('w2', 'p2')).body::jsonb #>> '{task,sticky_replay_mode}', 'forced_cold_replay', 'and any of them may take it'
);

select * from finish();
rollback;
