begin;
select plan(7);
set local role byssus_owner;

select running_activity();
create function pg_temp.found(
    p_request text default 'activity wf', p_more jsonb default '{}', p_run text default byssus_test.run(),
    p_worker text default 'w1'
) returns text language sql as $$
    select (byssus.polled_activity(
        byssus_test.poll(p_worker, p_request, p_more) -> 0, p_run, byssus_test.moment()
    )).run_id
$$;
select is(pg_temp.found(), run(), 'it is found');
select is(pg_temp.found('p2'), null, 'not by another poll');
select is(pg_temp.found(p_worker => 'w2'), null, 'of another worker');
select is(pg_temp.found(p_more => '{"namespace":"other"}'), null, 'in another namespace');
select is(pg_temp.found(p_run => 'other'), null, 'nor for another run');
select pass_time(59.999999);
select is(pg_temp.found(), run(), 'while its lease lives');
select pass_time(0.000001);
select is(pg_temp.found(), null, 'not beyond');

select * from finish();
rollback;
