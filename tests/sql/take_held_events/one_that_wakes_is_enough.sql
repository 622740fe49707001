begin;
select plan(2);
set local role byssus_owner;

select leased_run();
insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes) values
(run(), 1, 'result', 'A', '{}', false), (run(), 2, 'signal', 'B', '{}', true);
create temporary table taken as select * from byssus.take_held_events(run(), null);
select is((select wakes from taken), true, 'workflow code has to look');
select is((select has_signals from taken), true, 'and there is a signal');

select * from finish();
rollback;
