begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.outcome(p_namespace text) returns text language sql as
'select (byssus.refuse_workflow_task(p_namespace, ''task_not_found'', null, ''t'', 1)).outcome';
select is(pg_temp.outcome('default'), 'task_not_found', 'the task is missing');
select is(pg_temp.outcome('elsewhere'), 'namespace_not_found', 'the namespace is');

select * from finish();
rollback;
