begin;
select plan(3);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select retained_run();
select signal();
update byssus.affinities set reported_sequence = 3, delivered_sequence = 3;
create temporary table told as select pg_temp.lease() as task;
select is((select task -> 'history_events' from told), '[]', 'nothing is new');
select is((select task -> 'next_history_page_token' from told), 'null', 'and nothing follows');
select is((the_task()).delivered_sequence, 3::bigint, 'what its worker has stays delivered');

select * from finish();
rollback;
