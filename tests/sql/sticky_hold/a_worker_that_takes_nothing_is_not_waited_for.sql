begin;
select plan(5);
set local role byssus_owner;

select retained_run();
create function pg_temp.held_until(p_available timestamptz default byssus_test.moment()) returns timestamptz language sql as
'select held_until from byssus.sticky_hold(byssus_test.run(), p_available, byssus_test.moment())';
select is(pg_temp.held_until(moment(20)), moment(20), 'a task that is ready later is not held for a poll of now');
select pass_time(10);
select is(pg_temp.held_until(), moment(), 'its last poll is too old');
select byssus.record_poll('default', 'w1', 10, moment());
select is(pg_temp.held_until(), moment(5), 'but that of a worker that polls again waits');
update byssus.worker_liveness set stale_at = moment();
select is(pg_temp.held_until(), moment(), 'its heartbeat is overdue');
update byssus.worker_liveness set stale_at = moment(60), polling_until = null;
select is(pg_temp.held_until(), moment(), 'it has not polled at all');

select * from finish();
rollback;
