begin;
select plan(8);
set local role byssus_app;

select waiting_run('wf', timer());
create temporary table answered as select outcome, body::jsonb as body from byssus.describe_run('default', 'wf', null);
select is((select outcome from answered), 'described', 'found');
select is((select body ->> 'run_id' from answered), run(), 'the current run');
select is((select body ->> 'status_bucket' from answered), 'running', 'which runs');
select is((select body ->> 'wait_kind' from answered), 'operation', 'and waits for its timer');
select is((select body -> 'workflow_task' from answered), 'null', 'without a workflow task');
select is((select body -> 'input_envelope' from answered), envelope(), 'its input');
select is((select body #>> '{actions,can_signal}' from answered), 'true', 'it can be signalled');
select is((select body -> 'memo' from answered), '{}', 'no memo is an empty one');

select * from finish();
rollback;
