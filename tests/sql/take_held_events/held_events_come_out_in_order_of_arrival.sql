begin;
select plan(6);
set local role byssus_owner;

select leased_run();
insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes) values
(run(), 2, 'result', 'B', '{"b":2}', false), (run(), 1, 'result', 'A', '{"a":1}', false),
(run(), 3, 'result', 'C', '{"c":3}', false), ('another', 1, 'result', 'D', '{}', true);
create temporary table taken as select * from byssus.take_held_events(run(), null);
select is((select types from taken), array['A', 'B', 'C'], 'types');
select is((select payloads from taken), array['{"a":1}', '{"b":2}', '{"c":3}'], 'payloads');
select is((select wakes from taken), false, 'none of them wakes');
select is((select has_signals from taken), false, 'none is a signal');
select is(held(), null, 'the inbox is empty');
select is(held('another'), array['D'], 'another run keeps its own');

select * from finish();
rollback;
