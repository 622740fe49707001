begin;
select plan(4);
set local role byssus_app;

select start();
select is((byssus.read_history('default', 'nobody', run(), 0, 9)).outcome, 'instance_not_found', 'an unknown workflow');
select is((byssus.read_history('default', 'wf', 'no-run', 0, 9)).outcome, 'run_not_found', 'an unknown run');
select is((byssus.read_history('default', 'wf', start('b'), 0, 9)).outcome, 'run_not_found', 'a run of another workflow');
select is((byssus.read_history('elsewhere', 'wf', run(), 0, 9)).outcome, 'namespace_not_found', 'an unknown namespace');

select * from finish();
rollback;
