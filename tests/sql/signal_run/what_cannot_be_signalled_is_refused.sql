begin;
select plan(6);
set local role byssus_app;

select waiting_run('wf', timer());
create function pg_temp.outcome(p_namespace text, p_workflow text, p_run text) returns text language sql as
'select (byssus.signal_run(p_namespace, p_workflow, p_run, ''go'', null, null, ''d'')).outcome';
select is(pg_temp.outcome('default', 'nobody', null), 'instance_not_found', 'an unknown workflow');
select is(pg_temp.outcome('default', 'wf', 'no-run'), 'run_not_found', 'an unknown run');
select is(pg_temp.outcome('elsewhere', 'wf', null), 'namespace_not_found', 'an unknown namespace');
select is(pg_temp.outcome('default', 'wf', start('other')), 'run_not_found', 'a run of another workflow');
select byssus.terminate_run('default', 'wf', null, null, null, 'd');
select is(pg_temp.outcome('default', 'wf', null), 'run_not_active', 'a closed run');
select is((events())[3:], array['TerminateRequested', 'TimerCancelled', 'WorkflowTerminated'], 'which does not grow');

select * from finish();
rollback;
