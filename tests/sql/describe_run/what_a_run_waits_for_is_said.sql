begin;
select plan(3);
set local role byssus_app;

select waiting_run('conditional', wait_for());
select start('fresh');
create function pg_temp.wait_kind(p_workflow text) returns text language sql as
'select (byssus.describe_run(''default'', p_workflow, null)).body::jsonb ->> ''wait_kind''';
select is(pg_temp.wait_kind('fresh'), 'workflow_task', 'a worker');
select is(pg_temp.wait_kind('conditional'), 'condition', 'a condition');
select byssus.cancel_run('default', 'fresh', null, null, null, 'd');
select is(pg_temp.wait_kind('fresh'), null, 'nothing, when it is closed');

select * from finish();
rollback;
