begin;
select plan(5);
set local role byssus_app;

select leased_run();
select is(
    (byssus.terminate_run('default', 'wf', run(), 'stuck', null, 'd')).outcome, 'terminated', 'whatever it is doing'
);
select is((the_run()).status, 'terminated', 'the run is closed');
select is(events(), array['WorkflowStarted', 'TerminateRequested', 'WorkflowTerminated'], 'history says how it ended');
select is(payload('WorkflowTerminated') ->> 'reason', 'stuck', 'and why');
select is(the_task(), null, 'its workflow task is gone');

select * from finish();
rollback;
