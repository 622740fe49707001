begin;
select plan(9);
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
select retained_run('other');
create temporary table told as
select * from pg_temp.carry('[["run","r"],["activity","default","q"]]', '{"history_after_sequence":1}');
select is((select outcome from told), 'completed', 'the completion''s outcome stays');
select is((select body::jsonb #>> '{activity_poll,poll_status}' from told), 'leased', 'leased');
select is((select body::jsonb #>> '{activity_poll,task,task_id}' from told), activity(), 'the activity');
select is((the_activity()).poll_request_id::text, 'next', 'for this poll');
select is(
    (select body::jsonb #> '{activity_poll,history_tail,last_sequence}' from told), '2', 'with the rest of history'
);
select is(
    (select body::jsonb #>> '{activity_poll,history_tail,events,0,event_type}' from told), 'ActivityScheduled',
    'from where the worker is'
);
select is((the_affinity()).delivered_sequence, 2::bigint, 'which counts as delivered');
select is((the_affinity(run('other'))).delivered_sequence, 1::bigint, 'for this run alone');
select is((select hints from told), '[["run","r"]]', 'and nobody else is called for it');

select * from finish();
rollback;
