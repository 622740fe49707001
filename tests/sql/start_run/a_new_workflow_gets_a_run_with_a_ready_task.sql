begin;
select plan(9);
set local role byssus_app;

create temporary table answered as
select * from byssus.start_run(
    'default', 'wf', 'order', 'q', 'fail', null, 'd',
    start_options('{"memo":"{\"a\":1}","run_timeout_seconds":60,"execution_timeout_seconds":90,"build_id":"b"}')
);
select is((select outcome from answered), 'started_new', 'started');
select is((select body::jsonb ->> 'run_id' from answered), run(), 'the answer names the run');
select is(events(), array['WorkflowStarted'], 'history begins');
select is((the_task()).status, 'ready', 'a worker can claim it');
select is((the_run()).status, 'pending', 'nobody has yet');
select is((the_run()).deadline_at, moment(60), 'the nearer of its deadlines counts');
select is(payload('WorkflowStarted') -> 'memo', '{"a":1}', 'the memo is in history');
select is(payload('WorkflowStarted') ->> 'run_deadline_at', '2030-01-01T00:01:00.000000Z', 'and the deadline');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
