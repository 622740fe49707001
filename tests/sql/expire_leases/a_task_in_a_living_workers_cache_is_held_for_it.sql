begin;
select plan(2);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
select pass_time(55);
select byssus.heartbeat_worker('default', 'w1', '{}', '{}', 60);
select claim('w1', 'p3');
select pass_time(5);
select matches(
    (byssus.expire_leases(50)).hints, '\["held","default","q","w1","2030-01-01T00:01:05.000000Z"\]', 'it still polls'
);
select is((claim('w1', 'p4')).body::jsonb #>> '{task,sticky_replay_mode}', 'sticky_hit_expected', 'and holds the run');

select * from finish();
rollback;
