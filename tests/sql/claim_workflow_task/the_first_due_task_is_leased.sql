begin;
select plan(11);
set local role byssus_app;

select register();
select start();
create temporary table answered as select * from byssus.claim_workflow_task(poll());
select is((select outcome from answered), 'leased', 'the poll gets a task');
select is((select hints from answered), null, 'nobody else needs to know');
create temporary table told as select body::jsonb -> 'task' as task from answered;
select is((select task ->> 'task_id' from told), run() || ':k1', 'it is the first task of the run');
select is((select task ->> 'workflow_task_attempt' from told), '1', 'in its first attempt');
select is((select task ->> 'lease_owner' from told), 'w1', 'held by the worker');
select is((select task ->> 'lease_expires_at' from told), '2030-01-01T00:01:00.000000Z', 'for as long as it asked');
select is((select task -> 'arguments' from told), envelope(), 'with the input');
select is((select task #>> '{history_events,0,event_type}' from told), 'WorkflowStarted', 'and the history');
select is((the_task()).status, 'leased', 'the task says so too');
select is((the_task()).claimed_sequence, 1::bigint, 'and how much history was given');
select is((the_task()).registration_token, (the_registration()).registration_token, 'and under which registration');

select * from finish();
rollback;
