begin;
select plan(2);
set local role byssus_app;

create temporary table answered as select * from byssus.read_sticky_metrics();
select is((select outcome from answered), 'described', 'described');
select is(
    (select body::jsonb from answered), '{"namespaces":[{
        "namespace":"default","active_sticky_runs":0,"ready_sticky_tasks":0,"leased_sticky_tasks":0,
        "hit_expected_last_minute":0,"forced_cold_replay_last_minute":0,"cold_replay_last_minute":0,
        "suffix_tasks_last_minute":0,"suffix_events_saved_last_minute":0,"suffix_bytes_saved_last_minute":0,
        "worker_hits":0,"worker_misses":0,"worker_evictions":0,"worker_forced_cold_replays":0
    }]}', 'every figure is there'
);

select * from finish();
rollback;
