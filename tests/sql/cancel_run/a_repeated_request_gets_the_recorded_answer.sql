begin;
select plan(4);
set local role byssus_app;

select start();
create function pg_temp.cancel(p_request text, p_digest text) returns byssus.answer language sql as
'select byssus.cancel_run(''default'', ''wf'', null, null, p_request, p_digest)';
create temporary table first as select * from pg_temp.cancel('r1', 'd');
select is((pg_temp.cancel('r1', 'd')).body, (select body from first), 'the same answer');
select is((pg_temp.cancel('r1', 'other')).outcome, 'request_id_conflict', 'another body is refused');
select is((pg_temp.cancel('r2', 'd')).outcome, 'run_not_active', 'another request comes too late');
select is((byssus.terminate_run('default', 'wf', null, null, 'r1', 'd')).outcome, 'run_not_active', 'another command too');

select * from finish();
rollback;
