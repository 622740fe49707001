begin;
select plan(4);
set local role byssus_owner;

select waiting_run('wf', timer());
create temporary table hints as
select byssus.record_event(the_run(), moment(), 'result', 'Happened', '{"n":1}', true) as hints;
select is(events(), array['WorkflowStarted', 'TimerScheduled', 'Happened'], 'the event is in history');
select is((the_task()).status, 'ready', 'the run has a ready task');
select is(task(), run() || ':k3', 'named by the history that it is for');
select is(
    (select hints from hints), '["run","' || run() || '"],["workflow","default","q"]', 'readers and pollers are told'
);

select * from finish();
rollback;
