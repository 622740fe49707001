begin;
select plan(2);
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
select waiting_run('other', schedule());
select claim_activity('w1', 'b');
select retained_run();
create temporary table told as select * from pg_temp.repeat(pg_temp.both('{"history_after_sequence":1}'));
select is((select body::jsonb #>> '{activity_poll,task,workflow_id}' from told), 'other', 'it is of another run');
select is((select body::jsonb -> 'activity_poll' ? 'history_tail' from told), false, 'so there is no tail');

select * from finish();
rollback;
