begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select retained_run();
select signal();
select is(rows_of('sticky_counts'), 1::bigint, 'before');
select pass_time(1);
create temporary table told as select pg_temp.lease('w1', '{"sticky_execution":false}') as task;
select is((select task ->> 'sticky_replay_mode' from told), 'cold_replay', 'the claim is cold');
select is((select task ->> 'history_after_sequence' from told), '0', 'with full history');
select is((select jsonb_array_length(task -> 'history_events') from told), 3, 'of three events');
select is(rows_of('sticky_counts'), 1::bigint, 'and nobody counts it');

select * from finish();
rollback;
