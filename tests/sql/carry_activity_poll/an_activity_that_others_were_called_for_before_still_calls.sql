begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_activity_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select leased_run();
select retain(run(), '{}', schedule());
select pass_time(1);
create temporary table told as
select * from pg_temp.carry('[["run","r"],["activity","default","q"]]', '{"history_after_sequence":1}');
select is((select body::jsonb #> '{activity_poll,history_tail,last_sequence}' from told), '2', 'it is of the run');
select is((select hints from told), '[["run","r"],["activity","default","q"]]', 'but the hint is about another');

select * from finish();
rollback;
