begin;
select plan(3);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_workflow_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select retained_run();
create temporary table signalled as select * from signal();
select ok((select hints like '%,["held",%' from signalled), 'it is held for its worker');
create temporary table told as select carried.* from signalled, pg_temp.carry(signalled.hints) as carried;
select is(
    (select body::jsonb #>> '{workflow_poll,task,sticky_replay_mode}' from told), 'sticky_hit_expected', 'which gets it'
);
select is((select hints from told), '[["run","' || run() || '"]]', 'so it need not be called');

select * from finish();
rollback;
