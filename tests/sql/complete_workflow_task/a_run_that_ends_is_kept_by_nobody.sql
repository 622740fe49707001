begin;
select plan(3);
set local role byssus_app;

select register_sticky();
select leased_run('done');
select retain(run('done'), '{}', completes());
select is(rows_of('affinities'), 0::bigint, 'it has completed');
select leased_run('chain');
select retain(run('chain'), '{}', continues());
select is(rows_of('affinities'), 0::bigint, 'it goes on as a new run');
select is((the_task(run('chain'))).sticky_worker_id, null, 'which starts cold');

select * from finish();
rollback;
