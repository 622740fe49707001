begin;
select plan(2);
set local role byssus_owner;

select retained_run('wf', '{"hold_seconds":0}');
create temporary table hold as select * from byssus.sticky_hold(run(), moment(), moment());
select is((select held_until from hold), moment(), 'any worker may take the task at once');
select is((select sticky_worker_id from hold), 'w1', 'though its worker goes first');

select * from finish();
rollback;
