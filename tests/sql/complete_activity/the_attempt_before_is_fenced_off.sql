begin;
select plan(5);
set local role byssus_app;

select running_activity();
create temporary table asked as select attempt() as attempt_id;
create function pg_temp.outcome() returns text language sql as $$
    select (byssus.complete_activity(
        'default', byssus_test.activity(), (select attempt_id from asked), 'w1', null, 'd'
    )).outcome
$$;
select pass_time(60);
select is(pg_temp.outcome(), 'lease_expired', 'its lease is over');
select byssus.expire_leases(10);
select is(pg_temp.outcome(), 'activity_not_running', 'it is offered again');
select claim_activity('w1', 'p2');
select is(pg_temp.outcome(), 'stale_attempt', 'and runs anew');
select is((the_activity()).status, 'running', 'which goes on');
select is((events())[3:], '{}', 'nothing was recorded');

select * from finish();
rollback;
