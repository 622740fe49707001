begin;
select plan(3);
set local role byssus_owner;

select start('run', '{"run_timeout_seconds":10,"execution_timeout_seconds":20}');
select start('execution', '{"run_timeout_seconds":20,"execution_timeout_seconds":10}');
select byssus.time_out_run(the_run(run('run')), moment(10));
select byssus.time_out_run(the_run(run('execution')), moment(10));
select is(payload('WorkflowTimedOut', 1, run('run')) ->> 'timeout_kind', 'run_timeout', 'of the run');
select is(payload('WorkflowTimedOut', 1, run('execution')) ->> 'timeout_kind', 'execution_timeout', 'of the execution');
select is((the_run(run('run'))).closed_reason, 'timed_out', 'the run is closed');

select * from finish();
rollback;
