begin;
select plan(6);
set local role byssus_app;

select register_sticky();
select register('w2');
select is((claim('w1', 'p')).outcome, 'empty', 'an empty poll');
select claim('w2', 'p');
select is((the_liveness()).polling_until, moment(10), 'says that it takes tasks');
select is((the_liveness('w2')).polling_until, null, 'nobody waits for a worker that keeps nothing');
select pass_time(5);
select byssus.claim_workflow_task(poll('w1', 'p', '{"sticky_execution":false}'));
select byssus.claim_workflow_task(poll('w1', 'p', '{"task_queue":"q2"}'));
select is((the_liveness()).polling_until, moment(5), 'nor is it noted when all is switched off, or the poll refused');
select start();
select is((claim('w1', 'p')).outcome, 'leased', 'a poll that gets a task');
select is((the_liveness()).polling_until, moment(10), 'says so too');

select * from finish();
rollback;
