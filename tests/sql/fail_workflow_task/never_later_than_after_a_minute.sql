begin;
select plan(1);
set local role byssus_owner;

select leased_run();
update byssus.workflow_tasks set failure_count = 40;
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is((the_task()).available_at, moment(60), 'after forty failures');

select * from finish();
rollback;
