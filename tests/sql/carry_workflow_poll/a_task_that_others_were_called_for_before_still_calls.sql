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
select pass_time(1);
create temporary table told as select * from pg_temp.carry('[["run","r"],["workflow","default","q"]]');
select is((select body::jsonb #>> '{workflow_poll,poll_status}' from told), 'leased', 'it is not new');
select is((select hints from told), '[["run","r"],["workflow","default","q"]]', 'so the hint is about another');

select * from finish();
rollback;
