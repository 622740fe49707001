begin;
select plan(3);
set local role byssus_owner;

select leased_run();
insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes, wait_position)
values
(run(), 1, 'condition_timeout', 'TimerFired', '{}', true, 4),
(run(), 2, 'condition_timeout', 'Other', '{}', true, 5);
create temporary table taken as select * from byssus.take_held_events(run(), null);
select is((select types from taken), null, 'no wait is open: both are dropped');
select is((select wakes or resolves_wait from taken), false, 'and wake nobody');
select is(held(), null, 'they are not kept for later either');

select * from finish();
rollback;
