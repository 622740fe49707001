begin;
select plan(3);
set local role byssus_owner;

select start();
create function pg_temp.outcome(p_policy text, p_type text) returns text language sql as
'select (byssus.answer_existing_workflow(''default'', ''wf'', p_type, p_policy, null, ''d'')).outcome';
select is(pg_temp.outcome('fail', 'order'), 'instance_already_started', 'fail');
select is(pg_temp.outcome('use-existing', 'order'), 'returned_existing_active', 'use-existing');
select is(pg_temp.outcome('use-existing', 'other'), 'workflow_type_mismatch', 'but not another type');

select * from finish();
rollback;
