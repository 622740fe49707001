begin;
select plan(7);
set local role byssus_app;

select register('w1', '{"build_id":"b1"}');
select start();
create function pg_temp.outcome(p_more jsonb) returns text language sql as
'select outcome from byssus.claim_workflow_task(byssus_test.poll(''w1'', ''p'', p_more))';
select is(pg_temp.outcome('{"worker_id":"w9"}'), 'worker_not_registered', 'an unknown worker');
select is(pg_temp.outcome('{"worker_id":"W1"}'), 'worker_not_registered', 'a worker id in other case');
select is(pg_temp.outcome('{"worker_id":"w1 "}'), 'worker_not_registered', 'a worker id with a trailing space');
select is(pg_temp.outcome('{"task_queue":"q2"}'), 'task_queue_mismatch', 'another queue than it registered for');
select is(pg_temp.outcome('{"build_id":"b2"}'), 'build_id_mismatch', 'another build');
select is(pg_temp.outcome('{"namespace":"n2"}'), 'namespace_not_found', 'a namespace that does not exist');
select is((the_task()).status, 'ready', 'the task is untouched');

select * from finish();
rollback;
