begin;
select plan(8);
set local role byssus_owner;

select leased_run('wf', '{"priority":2,"memo":"{\"a\":1}","execution_timeout_seconds":100,"run_timeout_seconds":60}');
create temporary table old as select (the_run()).*;
select pass_time(10);
select byssus.continue_run(the_run(), continues('{"task_queue":"q2"}')::json, moment(), '{}', '{}');
select is((the_run()).workflow_type::text, 'order', 'its type');
select is((the_run()).priority, 2::smallint, 'its priority');
select is((the_run()).task_queue::text, 'q2', 'but the queue that the command names');
select is((the_run()).execution_deadline_at, (select execution_deadline_at from old), 'the execution goes on');
select is((the_run()).run_deadline_at, moment(60), 'the run begins anew');
select is((the_run()).continued_from_run_id, (select run_id from old), 'it names its predecessor');
select is(payload('WorkflowStarted') -> 'memo', '{"a":1}', 'the memo stays');
select is(
    (byssus.describe_run('default', 'wf', null)).body::jsonb #>> '{input_envelope,blob}', 'AQ==', 'the input is new'
);

select * from finish();
rollback;
