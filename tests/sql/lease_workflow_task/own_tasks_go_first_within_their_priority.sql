begin;
select plan(5);
set local role byssus_owner;

create function pg_temp.lease(p_worker text default 'w1', p_more jsonb default '{}') returns jsonb language sql as $$
    select (byssus.lease_workflow_task(
        byssus_test.poll(p_worker, 'p2', p_more) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment()
    )).body::jsonb -> 'task'
$$;
select register_sticky();
select retained_run('mine');
select retained_run('mine too');
select start('older');
select pass_time(1);
select signal('go', 'mine');
select pass_time(1);
select signal('go', 'mine too');
select start('urgent', '{"priority":1}');
select start('idle', '{"priority":9}');
select is(pg_temp.lease() ->> 'workflow_id', 'urgent', 'a more urgent one goes before');
select is(pg_temp.lease() ->> 'workflow_id', 'mine', 'then its own, though another is older');
select is(pg_temp.lease() ->> 'workflow_id', 'mine too', 'by age');
select is(pg_temp.lease() ->> 'workflow_id', 'older', 'then those of nobody');
select is(pg_temp.lease() ->> 'workflow_id', 'idle', 'and what is less urgent');

select * from finish();
rollback;
