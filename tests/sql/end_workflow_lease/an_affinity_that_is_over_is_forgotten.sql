begin;
select plan(3);
set local role byssus_owner;

select retained_run();
select signal();
select claim('w1', 'p2');
update byssus.affinities set sticky_until = moment();
select is(byssus.end_workflow_lease(the_run(), moment(), moment()), '["workflow","default","q"]', 'anyone is told');
select is((the_task()).sticky_worker_id, null, 'the task names no worker any more');
select is((the_task()).held_until, moment(), 'and waits for none');

select * from finish();
rollback;
