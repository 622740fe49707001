begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', wait_for());
select byssus.wake_run(the_run(), 2, moment());
select is((the_task()).sticky_worker_id, null, 'the task names no worker');
select is((the_task()).held_until, moment(), 'and waits for none');

select * from finish();
rollback;
