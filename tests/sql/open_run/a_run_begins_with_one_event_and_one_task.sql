begin;
select plan(8);
set local role byssus_owner;

create function pg_temp.open_run() returns text language plpgsql as $$
declare
    v_run byssus.runs;
    v_payloads byssus.run_payloads;
begin
    v_run.run_id := 'r';
    v_run.namespace := 'default';
    v_run.workflow_id := 'wf';
    v_run.run_number := 3;
    v_run.first_run_id := 'r';
    v_run.workflow_type := 'order';
    v_run.task_queue := 'q';
    v_run.priority := 4;
    v_run.fairness_weight := 1;
    v_payloads.input := '{"a":  1}';
    return byssus.open_run(v_run, v_payloads, byssus_test.moment());
end;
$$;
select is(pg_temp.open_run(), '["run","r"],["workflow","default","q"]', 'readers and pollers are told');
select is(events('r'), array['WorkflowStarted'], 'its history');
select is(payload('WorkflowStarted', 1, 'r') ->> 'run_number', '3', 'which says which run it is');
select is((the_run('r')).last_history_sequence, 1::bigint, 'is accounted for');
select is(task('r'), 'r:k1', 'its task');
select is((the_task('r')).priority, 4::smallint, 'has its priority');
select is((select input::text from byssus.run_payloads where run_id = 'r'), '{"a":  1}', 'its input is kept byte for byte');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
