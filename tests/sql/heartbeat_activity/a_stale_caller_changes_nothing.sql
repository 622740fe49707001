begin;
select plan(7);
set local role byssus_app;

select running_activity();
create function pg_temp.outcome(p_task text, p_attempt text, p_owner text, p_namespace text default 'default')
returns text language sql as
'select (byssus.heartbeat_activity(p_namespace, p_task, p_attempt, p_owner, null, 60)).outcome';
select pass_time(1);
select is(pg_temp.outcome('nonsense', attempt(), 'w1'), 'attempt_not_found', 'no task');
select is(pg_temp.outcome(activity(), run() || ':a1.2', 'w1'), 'attempt_not_found', 'an attempt that never was');
select is(pg_temp.outcome(activity(), run() || ':a2.1', 'w1'), 'task_mismatch', 'the attempt of another activity');
select is(pg_temp.outcome(activity(), attempt(), 'w2'), 'lease_owner_mismatch', 'another worker');
select is(pg_temp.outcome(activity(), attempt(), 'w1', 'elsewhere'), 'namespace_not_found', 'another namespace');
select is((the_activity()).last_heartbeat_at, null, 'no heartbeat was recorded');
select pass_time(60);
select is(pg_temp.outcome(activity(), attempt(), 'w1'), 'lease_expired', 'after the lease');

select * from finish();
rollback;
