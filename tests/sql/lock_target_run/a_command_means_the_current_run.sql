begin;
select plan(2);
set local role byssus_owner;

select leased_run();
create temporary table old as select run() as run_id;
select complete(run(), continues());
select is((byssus.lock_target_run('default', 'wf', null)).run_id, run(), 'when it names none');
select is(
    (byssus.lock_target_run('default', 'wf', (select run_id from old))).run_id, (select run_id from old),
    'or the one that it names'
);

select * from finish();
rollback;
