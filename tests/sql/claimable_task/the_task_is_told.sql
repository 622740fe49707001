begin;
select plan(2);
set local role byssus_owner;

select register();
select start('a');
select start('b');
create function pg_temp.found(p_run text) returns text language sql as $$
    select (byssus.claimable_task(byssus_test.the_run(p_run), byssus_test.the_registration(), byssus_test.moment())).run_id
$$;
select is(pg_temp.found(run('a')), run('a'), 'that of the run');
select is(pg_temp.found(run('b')), run('b'), 'whichever it is');

select * from finish();
rollback;
