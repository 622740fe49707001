begin;
select plan(1);
set local role byssus_app;

select register('w1');
select register('w2');
select pass_time(7);
select byssus.heartbeat_worker('default', 'w1', '{}', '{}', 60);
reset role;
select is(
    (select array_agg(last_heartbeat_at order by worker_id) from byssus.worker_liveness), array[moment(), moment(-7)],
    'one of them gave a sign of life'
);

select * from finish();
rollback;
