begin;
select plan(1);
set local role byssus_owner;

select start();
select is(
    payload('WorkflowStarted') ?| array[
        'build_id', 'business_key', 'memo', 'search_attributes', 'execution_timeout_seconds', 'run_timeout_seconds',
        'execution_deadline_at', 'run_deadline_at', 'continued_from_run_id'
    ], false, 'null is not the same as absent'
);

select * from finish();
rollback;
