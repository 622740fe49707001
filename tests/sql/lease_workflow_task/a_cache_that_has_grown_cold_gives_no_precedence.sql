begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select register_sticky();
select retained_run('mine', '{"ttl_seconds":3}');
select start('older');
select pass_time(1);
select signal('go', 'mine');
select pass_time(2);
select is(pg_temp.lease() ->> 'workflow_id', 'older', 'its own waits in the common order');
select is(pg_temp.lease() ->> 'sticky_replay_mode', 'forced_cold_replay', 'and is replayed cold');

select * from finish();
rollback;
