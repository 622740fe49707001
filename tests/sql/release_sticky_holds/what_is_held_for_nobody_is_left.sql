begin;
select plan(3);
set local role byssus_owner;

select retained_run('free', '{"hold_seconds":0}');
select retained_run('leased');
select retained_run('over');
select signal('go', 'leased');
select claim('w1', 'p2');
select signal('go', 'over');
select pass_time(5);
select signal('go', 'free');
select is((the_task(run('leased'))).sticky_worker_id::text, 'w1', 'all three have its affinity');
create temporary table before as select * from byssus.workflow_tasks;
select is(byssus.release_sticky_holds((the_registration()).registration_token, moment()), false, 'there was nothing');
select is_empty(
    'select t::text from byssus.workflow_tasks as t except select b::text from before as b',
    'a task without a hold, one whose hold is over and one that is leased'
);

select * from finish();
rollback;
