begin;
select plan(2);
set local role byssus_owner;

select retained_run();
select retained_run('other');
select byssus.close_run(the_run(), moment(), 'cancelled', 'cancelled', '{}', '{}', 'Ended', '{}', false);
select is((the_affinity()).run_id, null, 'nobody holds what is over');
select is((the_affinity(run('other'))).sticky_worker_id::text, 'w1', 'that of another run stays');

select * from finish();
rollback;
