begin;
select plan(2);
set local role byssus_app;

select is((byssus.list_workflow_runs('default', 'nobody', 0, 9)).outcome, 'instance_not_found', 'an unknown workflow');
select is((byssus.list_workflow_runs('elsewhere', 'wf', 0, 9)).outcome, 'namespace_not_found', 'an unknown namespace');

select * from finish();
rollback;
