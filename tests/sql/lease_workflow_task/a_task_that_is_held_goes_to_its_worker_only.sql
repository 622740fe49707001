begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select register_sticky();
select register_sticky('w2');
select retained_run();
select signal();
select is(pg_temp.lease('w2'), null, 'another gets nothing');
select pass_time(4.999999);
select is(pg_temp.lease('w2'), null, 'to the end of the hold');
savepoint held;
select is(pg_temp.lease('w1') ->> 'sticky_replay_mode', 'sticky_hit_expected', 'its worker gets it');
rollback to savepoint held;
select pass_time(0.000001);
select is(pg_temp.lease('w2') ->> 'sticky_replay_mode', 'forced_cold_replay', 'then any worker may take it');
select is((the_task()).sticky_worker_id::text, 'w1', 'the task says whom it was held for');

select * from finish();
rollback;
