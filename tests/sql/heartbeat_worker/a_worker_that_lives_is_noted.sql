begin;
select plan(4);
set local role byssus_app;

select register();
select pass_time(7);
select is(
    (byssus.heartbeat_worker('default', 'w1', '{"workflow":3}', '{"rss":1}', 60)).outcome, 'acknowledged', 'acknowledged'
);
reset role;
select is((select last_heartbeat_at from byssus.worker_liveness), moment(), 'with the moment');
select is((select task_slots::text from byssus.worker_liveness), '{"workflow":3}', 'its free slots');
select is((select process_metrics::text from byssus.worker_liveness), '{"rss":1}', 'and its metrics');

select * from finish();
rollback;
