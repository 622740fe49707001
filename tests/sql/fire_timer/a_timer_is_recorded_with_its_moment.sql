begin;
select plan(4);
set local role byssus_owner;

select waiting_run('wf', timer(5));
select isnt(byssus.fire_timer(the_run(), the_timer(), moment(7)), '', 'somebody is told');
select is(payload('TimerFired') ->> 'timer_id', run() || ':t1', 'which timer');
select is(payload('TimerFired') ->> 'fire_at', '2030-01-01T00:00:05.000000Z', 'when it was due');
select is(payload('TimerFired') ->> 'fired_at', '2030-01-01T00:00:07.000000Z', 'and when it fired');

select * from finish();
rollback;
