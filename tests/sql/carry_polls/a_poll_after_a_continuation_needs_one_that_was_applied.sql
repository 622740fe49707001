begin;
select plan(4);
set local role byssus_owner;

create function pg_temp.carry(p_carried jsonb, p_is_continued boolean default false) returns byssus.answer
language sql as $$
    select byssus.carry_polls(
        byssus_test.the_run(), byssus_test.the_registration(), p_carried::json, p_is_continued, byssus_test.moment(),
        byssus_test.completed('[["run","r"]]')
    )
$$;
select register_merging();
select waiting_run('wf', schedule());
create function pg_temp.status(p_is_continued boolean, p_more jsonb default '{}') returns text language sql as $$
    select (pg_temp.carry(jsonb_build_object(
        'activity_poll', byssus_test.carried_poll('b', p_more)
    ), p_is_continued)).body::jsonb #>> '{activity_poll,poll_status}'
$$;
select is(pg_temp.status(false, '{"if_applied":true}'), 'empty', 'none was');
select is((the_activity()).status, 'pending', 'so nothing was claimed');
savepoint unclaimed;
select is(pg_temp.status(true, '{"if_applied":true}'), 'leased', 'one was');
rollback to savepoint unclaimed;
select is(pg_temp.status(false), 'leased', 'a poll of its own needs none');

select * from finish();
rollback;
