begin;
select plan(2);
set local role byssus_owner;

select leased_run();
insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes, wait_position)
values (run(), 1, 'condition_timeout', 'TimerFired', '{}', true, 4);
create temporary table taken as select * from byssus.take_held_events(run(), 4);
select is((select types from taken), array['TimerFired'], 'the event is kept');
select is((select resolves_wait from taken), true, 'the wait is resolved');

select * from finish();
rollback;
