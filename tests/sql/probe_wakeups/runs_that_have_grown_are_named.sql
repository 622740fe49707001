begin;
select plan(3);
set local role byssus_app;

create temporary table t on commit drop as select start() as run_id;
select is(
    (byssus.probe_wakeups('[]', json_build_array(json_build_array((select run_id from t), 0)), 5)).body,
    concat('{"ready":[],"held":[],"grown":["', (select run_id from t), '"]}'), 'its history is longer'
);
select is(
    (byssus.probe_wakeups('[]', json_build_array(json_build_array((select run_id from t), 1)), 5)).body,
    '{"ready":[],"held":[],"grown":[]}', 'all of it is known'
);
select is((byssus.probe_wakeups('[]', '[["nowhere",0]]', 5)).body, '{"ready":[],"held":[],"grown":[]}', 'no such run');

select * from finish();
rollback;
