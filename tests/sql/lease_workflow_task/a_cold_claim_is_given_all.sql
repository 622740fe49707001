begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select register_sticky();
select register_sticky('w2', '{"sticky_history_suffix":false}');
select retained_run();
select signal();
select pass_time(5);
create temporary table told as select pg_temp.lease('w2') as task;
select is((select task ->> 'sticky_replay_mode' from told), 'forced_cold_replay', 'the run is in another''s cache');
select is((select jsonb_array_length(task -> 'history_events') from told), 3, 'all of history');
select is((select task ? 'history_after_sequence' from told), false, 'and nothing of suffixes, which it does not know');
select is((the_task()).after_sequence, 0::bigint, 'from the beginning');
select is((the_task()).delivered_sequence, 3::bigint, 'to the end');

select * from finish();
rollback;
