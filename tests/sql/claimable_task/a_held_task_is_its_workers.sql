begin;
select plan(4);
set local role byssus_owner;

select register_sticky();
select register_sticky('w2');
select retained_run('wf', '{"ttl_seconds":3}');
select signal();
create function pg_temp.may(p_worker text default 'w1') returns boolean language sql as $$
    select (byssus.claimable_task(
        byssus_test.the_run(), byssus_test.the_registration(p_worker), byssus_test.moment()
    )).run_id is not null
$$;
update byssus.workflow_tasks set held_until = moment(9);
select ok(pg_temp.may(), 'it may');
select ok(not pg_temp.may('w2'), 'another may not');
update byssus.workflow_tasks set sticky_until = moment();
select ok(not pg_temp.may(), 'nor may it once its cache is over');
update byssus.workflow_tasks set held_until = moment();
select ok(pg_temp.may('w2'), 'at the end of the hold any may');

select * from finish();
rollback;
