begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select start();
select pg_temp.carry(p_more => '{"sticky_execution":false}');
select is((the_liveness()).polling_until, null, 'not with caches switched off');
select pg_temp.carry();
select is((the_liveness()).polling_until, moment(10), 'else it does');

select * from finish();
rollback;
