begin;
select plan(5);
set local role byssus_owner;

select start();
create function pg_temp.outcome(p_namespace text, p_workflow text) returns text language sql as
'select (byssus.target_refusal(null, p_namespace, p_workflow, ''r'')).outcome';
select is(pg_temp.outcome('default', 'wf'), 'run_not_found', 'the workflow exists');
select is(pg_temp.outcome('default', 'nobody'), 'instance_not_found', 'the namespace exists');
select is(pg_temp.outcome('elsewhere', 'wf'), 'namespace_not_found', 'nothing does');
select byssus.terminate_run('default', 'wf', null, null, null, 'd');
create temporary table refused as
select outcome, body::jsonb as body from byssus.target_refusal(the_run(), 'default', 'wf', null);
select is((select outcome from refused), 'run_not_active', 'the run has ended');
select is((select body ->> 'run_status' from refused), 'terminated', 'in this way');

select * from finish();
rollback;
