begin;
select plan(5);
set local role byssus_owner;

select register('old build', '{"build_id":"b0"}');
select register('other type', '{"activity_types":["other"]}');
select waiting_run('wf', schedule('{"schedule_to_start_timeout":20}'));
update byssus.activities set build_id = 'b1';
create function pg_temp.outcome(p_worker text, p_later numeric default 0) returns text language sql as $$
    select (byssus.lease_activity(
        byssus_test.poll(p_worker) -> 0, byssus_test.the_registration(p_worker), byssus_test.moment(p_later)
    )).outcome
$$;
select is(pg_temp.outcome('old build'), null, 'not of another build');
select is(pg_temp.outcome('other type'), null, 'not of another type');
select register('w1', '{"build_id":"b1"}');
select is(pg_temp.outcome('w1', -1), null, 'not before it is due');
select is(pg_temp.outcome('w1', 20), null, 'not when it has timed out');
select is(pg_temp.outcome('w1', 19), 'leased', 'its own, in time');

select * from finish();
rollback;
