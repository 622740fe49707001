begin;
select plan(4);
set local role byssus_owner;

select waiting_run('wf', schedule(), leaf(schedule(), 2, 0, 2), leaf(timer(), 2, 1, 2), schedule());
select is(byssus.group_has_open_leaf(run(), 2, 2), true, 'both are open');
update byssus.activities set status = 'completed', closed_at = moment() where position = 2;
select is(byssus.group_has_open_leaf(run(), 2, 2), true, 'the timer is');
delete from byssus.timers;
select is(byssus.group_has_open_leaf(run(), 2, 2), false, 'none is, and neighbours do not count');
select is(byssus.group_has_open_leaf(run(), 2, 3), true, 'they would in a larger group');

select * from finish();
rollback;
