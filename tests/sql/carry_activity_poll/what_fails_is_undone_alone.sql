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
select leased_run();
select retain(run(), '{}', schedule());
create trigger broken before update on byssus.affinities for each row execute function byssus_test.breaks();
create temporary table told as
select * from pg_temp.carry('[["run","r"],["activity","default","q"]]', '{"history_after_sequence":1}');
select is((select outcome from told), 'completed', 'the completion stands');
select is(
    (select body from told), '{"outcome":"completed","activity_poll":{"task":null,"poll_status":"failed"}}',
    'the part says that it failed'
);
select is(
    (select hints from told), '[["run","r"],["activity","default","q"],["failed","activity_poll","BY999"]]',
    'others are called for the activity, and the log is told why'
);
select is((the_activity()).status, 'pending', 'which they can have');

select * from finish();
rollback;
