begin;
select plan(3);
set local role byssus_app;

select waiting_run('wf', timer(10));
select signal();
select claim('w1', 'p2');
select pass_time(10);
select is((byssus.fire_due_timers(50)).body, '{"count":1,"more":false}', 'it fires');
select is(held(), array['TimerFired'], 'but history stands still under the worker');
select is(rows_of('timers'), 0::bigint, 'it cannot fire again');

select * from finish();
rollback;
