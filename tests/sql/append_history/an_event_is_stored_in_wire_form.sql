begin;
select plan(1);
set local role byssus_owner;

select leased_run();
select byssus.append_history(run(), 1, moment(), array['A'], array['{"a":"x  y"}']);
select is(
    (select wire from byssus.history_events where run_id = run() and sequence = 2),
    '{"id":"' || run() || ':e2","sequence":2,"event_type":"A","payload":{"a":"x  y"},'
    || '"recorded_at":"2030-01-01T00:00:00.000000Z"}',
    'id, sequence, type, payload byte for byte, and the moment'
);

select * from finish();
rollback;
