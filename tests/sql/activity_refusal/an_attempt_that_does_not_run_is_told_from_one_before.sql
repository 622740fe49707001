begin;
select plan(2);
set local role byssus_owner;

select running_activity();
select byssus.end_activity_lease(the_activity(), moment());
create function pg_temp.refusal() returns text language sql as $$
    select byssus.activity_refusal(
        byssus_test.the_run(), byssus_test.the_activity(), byssus_test.run() || ':a1.1', 'w1', byssus_test.moment()
    )
$$;
select is(pg_temp.refusal(), 'activity_not_running', 'it was taken back');
select claim_activity('w1', 'p2');
select is(pg_temp.refusal(), 'stale_attempt', 'another attempt has begun');

select * from finish();
rollback;
