begin;
select plan(3);
set local role byssus_owner;

create function pg_temp.repeat(p_carried jsonb) returns byssus.answer language sql as $$
    select byssus.repeat_polls(
        byssus_test.the_run(), byssus_test.the_registration(), p_carried::json, byssus_test.moment(),
        ('completed', '{"outcome":"completed"}', null)::byssus.answer
    )
$$;
create function pg_temp.both(p_more jsonb default '{}') returns jsonb language sql as $$
    select jsonb_build_object(
        'workflow_poll', byssus_test.carried_poll('a'), 'activity_poll', byssus_test.carried_poll('b', p_more)
    )
$$;
select register_merging();
select held_activity();
select signal();
create function pg_temp.tail() returns jsonb language sql as $$
    select (pg_temp.repeat(jsonb_build_object('activity_poll', byssus_test.carried_poll(
        'held activity', '{"history_after_sequence":1}'
    )))).body::jsonb #> '{activity_poll,history_tail}'
$$;
select is(pg_temp.tail() -> 'last_sequence', '2', 'not with what came since');
select is(jsonb_array_length(pg_temp.tail() -> 'events'), 1, 'one event');
select is((the_affinity()).delivered_sequence, 2::bigint, 'nothing more counts as delivered');

select * from finish();
rollback;
