begin;
select plan(7);
set local role byssus_owner;

select start('wf', '{"build_id":"b1","business_key":"k","memo":"{\"a\":1}","search_attributes":"{\"b\":2}",
    "execution_timeout_seconds":90,"run_timeout_seconds":60}');
create temporary table started as select payload('WorkflowStarted') as body;
select is((select body ->> 'build_id' from started), 'b1', 'the build');
select is((select body ->> 'business_key' from started), 'k', 'the business key');
select is((select body -> 'memo' from started), '{"a":1}', 'the memo');
select is((select body -> 'search_attributes' from started), '{"b":2}', 'the search attributes');
select is((select body ->> 'execution_timeout_seconds' from started), '90', 'the execution timeout');
select is((select body ->> 'run_timeout_seconds' from started), '60', 'the run timeout');
select is((select body ->> 'execution_deadline_at' from started), '2030-01-01T00:01:30.000000Z', 'both as moments');

select * from finish();
rollback;
