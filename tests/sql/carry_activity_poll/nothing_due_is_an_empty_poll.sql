begin;
select plan(1);
set local role byssus_owner;

create function pg_temp.carry(p_hints text default '[["run","r"]]', p_more jsonb default '{}') returns byssus.answer
language sql as $$
    select byssus.carry_activity_poll(
        byssus_test.the_run(), byssus_test.the_registration(), byssus_test.carried_poll('next', p_more)::json,
        byssus_test.moment(), byssus_test.completed(p_hints)
    )
$$;
select register_merging();
select retained_run();
select is(
    (pg_temp.carry(p_more => '{"history_after_sequence":1}')).body,
    '{"outcome":"completed","activity_poll":{"task":null,"poll_status":"empty"}}', 'empty'
);

select * from finish();
rollback;
