begin;
select plan(5);
set local role byssus_app;

select leased_run();
create function pg_temp.outcome(p_namespace text, p_task text, p_owner text, p_attempt integer) returns text language sql as
'select (byssus.read_history_page(p_namespace, p_task, p_owner, p_attempt, 0, 10)).outcome';
select is(pg_temp.outcome('default', task(), 'w2', 1), 'lease_owner_mismatch', 'another worker');
select is(pg_temp.outcome('default', task(), 'w1', 2), 'workflow_task_attempt_mismatch', 'another attempt');
select is(pg_temp.outcome('default', 'nonsense', 'w1', 1), 'task_not_found', 'no task');
select is(pg_temp.outcome('elsewhere', task(), 'w1', 1), 'namespace_not_found', 'another namespace');
select pass_time(60);
select is(pg_temp.outcome('default', task(), 'w1', 1), 'lease_expired', 'after the lease');

select * from finish();
rollback;
