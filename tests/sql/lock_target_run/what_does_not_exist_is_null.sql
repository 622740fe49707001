begin;
select plan(4);
set local role byssus_owner;

select start();
select is((byssus.lock_target_run('default', 'nobody', null)).run_id, null, 'an unknown workflow');
select is((byssus.lock_target_run('default', 'wf', 'no-run')).run_id, null, 'an unknown run');
select is((byssus.lock_target_run('default', 'wf', start('other'))).run_id, null, 'a run of another workflow');
select is((byssus.lock_target_run('elsewhere', 'wf', run())).run_id, null, 'another namespace');

select * from finish();
rollback;
