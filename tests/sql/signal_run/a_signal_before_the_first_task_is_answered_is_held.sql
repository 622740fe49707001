begin;
select plan(3);
set local role byssus_app;

select start();
select signal();
select is(held(), array['SignalReceived'], 'even when nobody has claimed the task');
select register();
select claim();
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is(held(), array['SignalReceived'], 'and when the first answer is a failure');
select is(events(), array['WorkflowStarted'], 'history begins with what workflow code does');

select * from finish();
rollback;
