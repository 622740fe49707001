begin;
select plan(4);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_activity_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select waiting_run('other', schedule());
select retained_run();
create temporary table told as
select * from pg_temp.carry('[["run","r"],["activity","default","q"]]', '{"history_after_sequence":1}');
select is((select body::jsonb #>> '{activity_poll,task,workflow_id}' from told), 'other', 'it is of another run');
select is((select body::jsonb -> 'activity_poll' ? 'history_tail' from told), false, 'so there is no tail');
select is((the_affinity()).delivered_sequence, 1::bigint, 'nothing more was delivered');
select is((select hints from told), '[["run","r"],["activity","default","q"]]', 'the hints are not about that');

select * from finish();
rollback;
