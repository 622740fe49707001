begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select is(byssus.workflow_task_refusal(the_run(), the_task(), 1, 'w1', 1, moment(59.9)), null, 'while its lease lives');
select is(byssus.workflow_task_refusal(the_run(), the_task(), 1, 'w1', 1, moment(60)), 'lease_expired', 'not longer');

select * from finish();
rollback;
