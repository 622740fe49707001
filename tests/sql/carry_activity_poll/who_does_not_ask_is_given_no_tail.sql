begin;
select plan(3);
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
create temporary table told as select * from pg_temp.carry();
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'leased', 'the activity is leased');
select is((select body::jsonb -> 'activity_poll' ? 'history_tail' from told), false, 'alone');
select is((the_affinity()).delivered_sequence, 1::bigint, 'nothing more was delivered');

select * from finish();
rollback;
