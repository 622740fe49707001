begin;
select plan(4);
set local role byssus_owner;

select register_sticky('w1', '{"stale_seconds":4}');
select retained_run('wf', '{"hold_seconds":60}');
create function pg_temp.held_until(p_available timestamptz default byssus_test.moment()) returns timestamptz language sql as
'select held_until from byssus.sticky_hold(byssus_test.run(), p_available, byssus_test.moment())';
select is(pg_temp.held_until(), moment(4), 'its worker is silent too long');
select byssus.heartbeat_worker('default', 'w1', '{}', '{}', 3600);
select is(pg_temp.held_until(), moment(10), 'its worker polls no more');
select byssus.record_poll('default', 'w1', 3600, moment());
select is(pg_temp.held_until(), moment(60), 'the hold is over');
update byssus.affinities set sticky_until = moment(3);
select is(pg_temp.held_until(), moment(3), 'the affinity has expired');

select * from finish();
rollback;
