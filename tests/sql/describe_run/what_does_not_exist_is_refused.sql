begin;
select plan(4);
set local role byssus_app;

select start();
select is((byssus.describe_run('default', 'nobody', null)).outcome, 'instance_not_found', 'an unknown workflow');
select is((byssus.describe_run('default', 'wf', 'no-run')).outcome, 'run_not_found', 'an unknown run');
select is((byssus.describe_run('default', 'wf', start('other'))).outcome, 'run_not_found', 'a run of another workflow');
select is((byssus.describe_run('elsewhere', 'wf', null)).outcome, 'namespace_not_found', 'an unknown namespace');

select * from finish();
rollback;
