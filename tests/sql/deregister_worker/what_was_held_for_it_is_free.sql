begin;
select plan(3);
set local role byssus_app;

select register_sticky('w2');
select retained_run();
select signal();
select is(
    (byssus.deregister_worker('default', 'w1', null, 600)).hints,
    '[["due","2030-01-01T00:00:00.000000Z"],["workflow","default","q"]]', 'pollers of the queue are told'
);
select is((claim('w2', 'p2')).body::jsonb #>> '{task,sticky_replay_mode}', 'forced_cold_replay', 'any may take it');
select is(
    (byssus.deregister_worker('default', 'w2', null, 600)).hints, '[["due","2030-01-01T00:00:00.000000Z"]]',
    'nothing was held for this one'
);

select * from finish();
rollback;
