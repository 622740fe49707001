begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', timer());
select byssus.record_event(the_run(), moment(), 'result', 'First', '{}', true);
select byssus.record_event(the_run(), moment(), 'result', 'Second', '{}', true);
select is(events(), array['WorkflowStarted', 'TimerScheduled', 'First', 'Second'], 'a ready task holds nothing back');
select is(rows_of('workflow_tasks'), 1::bigint, 'there is still one task');
select is(task(), run() || ':k3', 'which keeps its name');

select * from finish();
rollback;
