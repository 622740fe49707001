begin;
select plan(6);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
create temporary table before as select the_task()::text as task, the_affinity()::text as affinity;
select is(
    (retain(run(), '{"run_id":"another","hit":9}', timer())).outcome, 'sticky_cache_identity_mismatch', 'refused'
);
select is(the_task()::text, (select task from before), 'the lease is as it was');
select is(the_affinity()::text, (select affinity from before), 'and so is the affinity');
select is(cardinality(events()), 3, 'history says nothing of it');
select is((the_liveness()).sticky_hits, 0::bigint, 'nor do the totals');
select is((retain(run(), '{}', timer())).outcome, 'completed', 'the worker may answer again');

select * from finish();
rollback;
