begin;
select plan(2);
set local role byssus_owner;

select retained_run();
select signal();
select claim('w1', 'p2');
select is((the_affinity()).sticky_worker_id::text, 'w1', 'it was in a cache');
select byssus.answer_workflow_task(the_run(), the_task(), null, json_build_array(timer()), null, moment());
select is(the_affinity(), null, 'it is no longer');

select * from finish();
rollback;
