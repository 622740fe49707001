begin;
select plan(4);
set local role byssus_owner;

select leased_run();
insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes)
select run(), n, 'signal', 'SignalReceived', '{"signal_id":"s","signal_name":"go"}', true from generate_series(1, 4999) as n;
select is((signal()).outcome, 'signal_received', 'the last that fits');
create temporary table answered as select * from signal();
select is((select outcome from answered), 'structural_limit_exceeded', 'one more does not');
select is((select body::jsonb ->> 'current_value' from answered), '5000', 'the answer says how many wait');
select is(cardinality(held()), 5000, 'and nothing was added');

select * from finish();
rollback;
