begin;
select plan(8);
set local role byssus_app;

select start('wf', '{"run_timeout_seconds":30,"execution_timeout_seconds":90}');
select pass_time(29);
select is((byssus.enforce_timeouts(50)).body, '{"count":0,"more":false}', 'not before');
select pass_time(1);
create temporary table answered as select * from byssus.enforce_timeouts(50);
select is((select body from answered), '{"count":1,"more":false}', 'one timeout struck');
select is((the_run()).status, 'failed', 'the run has failed');
select is((the_run()).closed_reason, 'timed_out', 'because of the time');
select is(events(), array['WorkflowStarted', 'WorkflowTimedOut'], 'history says so');
select is(payload('WorkflowTimedOut') ->> 'timeout_kind', 'run_timeout', 'and which timeout it was');
select is((select hints from answered)::jsonb, jsonb_build_array(jsonb_build_array('run', run())), 'readers are told');
select is((byssus.enforce_timeouts(50)).body, '{"count":0,"more":false}', 'once');

select * from finish();
rollback;
