begin;
select plan(9);
set local role byssus_app;

select leased_run();
create temporary table old as select run() as run_id;
select signal('kept');
select is((complete(run(), continues('{"workflow_type":"order"}'))).outcome, 'completed', 'the task is answered');
select isnt(run(), (select run_id from old), 'the workflow has another run');
select is((the_run((select run_id from old))).closed_reason, 'continued', 'the old one is closed');
select is((the_run((select run_id from old))).continued_to_run_id, run(), 'and names its successor');
select is(events((select run_id from old)), array['WorkflowStarted', 'WorkflowContinuedAsNew'], 'in its history too');
select is(events(), array['WorkflowStarted'], 'the new one begins');
select is((the_run()).run_number, 2, 'as the second');
select is((the_task()).status, 'ready', 'with a task');
select is(held(), array['SignalReceived'], 'and signals that the old one never saw');

select * from finish();
rollback;
