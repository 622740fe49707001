begin;
select plan(3);
set local role byssus_owner;

select retained_run();
select retained_run('other');
select byssus.clear_affinity(run());
select is((the_affinity()).run_id, null, 'its affinity is gone');
select is((the_affinity(run('other'))).sticky_worker_id::text, 'w1', 'that of another run is not');
select lives_ok('select byssus.clear_affinity(byssus_test.run())', 'nor is there anything wrong with having none');

select * from finish();
rollback;
