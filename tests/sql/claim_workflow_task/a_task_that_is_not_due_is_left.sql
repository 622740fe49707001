begin;
select plan(3);
set local role byssus_app;

select waiting_run('wf', timer());
select signal();
select claim('w1', 'p2');
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is((claim('w1', 'p3')).outcome, 'empty', 'it is offered again later');
select pass_time(1);
select is((claim('w1', 'p3')).outcome, 'leased', 'when its time has come');
select is((the_task()).attempt, 2, 'as a second attempt');

select * from finish();
rollback;
