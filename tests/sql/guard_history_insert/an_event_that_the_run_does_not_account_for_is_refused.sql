begin;
select plan(7);
set local role byssus_owner;

select leased_run();
create function pg_temp.insert_events(variadic p_sequences bigint[]) returns void language sql as $$
    insert into byssus.history_events (run_id, sequence, event_type, recorded_at, wire)
    select byssus_test.run(), s, 'X', now(), '{}' from unnest(p_sequences) as s
$$;
select throws_ok('select pg_temp.insert_events(2)', 'BY001', null, 'the next number, without the run');
select throws_ok('select pg_temp.insert_events(3)', 'BY001', null, 'a number behind a gap');
select throws_ok('select pg_temp.insert_events(0)', '23514', null, 'a number before the first');
select throws_ok('select pg_temp.insert_events(1)', '23505', null, 'a number that is taken');
update byssus.runs set last_history_sequence = 3 where run_id = run();
select throws_ok('select pg_temp.insert_events(3)', 'BY001', null, 'the last alone, when the run went on by two');
select throws_ok('select pg_temp.insert_events(2)', 'BY001', null, 'the first alone, when the run went on by two');
select lives_ok('select pg_temp.insert_events(2, 3)', 'both together follow on');

select * from finish();
rollback;
