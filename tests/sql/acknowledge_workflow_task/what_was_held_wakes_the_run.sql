begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select signal();
select byssus.acknowledge_workflow_task(the_run(), the_task(), moment());
select is(events(), array['WorkflowStarted', 'SignalReceived'], 'it enters history');
select is(task(), run() || ':k2', 'and there is a task for it');

select * from finish();
rollback;
