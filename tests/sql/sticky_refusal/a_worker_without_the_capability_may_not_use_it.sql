begin;
select plan(7);
set local role byssus_owner;

select register('w1', '{"build_id":"b1"}');
select register('w2', '{"build_id":"b1","sticky_execution":true}');
select leased_run();
create function pg_temp.refused(p_worker text, p_more jsonb) returns byssus.answer language sql as $$
    select byssus.sticky_refusal(
        byssus_test.the_run(), byssus_test.the_task(), byssus_test.the_registration(p_worker),
        byssus_test.sticky_cache(byssus_test.run(), p_more)
    )
$$;
select is((pg_temp.refused('w1', '{}')).outcome, 'worker_capability_not_supported', 'it did not register with sticky_execution');
select is((pg_temp.refused('w9', '{}')).outcome, 'worker_capability_not_supported', 'nor did one that is gone');
select is((pg_temp.refused('w1', '{}')).body::jsonb ->> 'capability', 'sticky_execution', 'it is told what it lacks');
select is((pg_temp.refused('w1', '{}')).body::jsonb ->> 'recorded', 'false', 'and that nothing was recorded');
select is((pg_temp.refused('w2', '{}')).outcome, 'validation_failed', 'without suffixes it may not report a boundary');
select is(
    (pg_temp.refused('w2', '{}')).body::jsonb -> 'errors',
    '{"sticky_cache.history_last_sequence":["must be absent: the worker did not register with sticky_history_suffix"]}',
    'the field is named'
);
select is((pg_temp.refused('w2', '{"history_last_sequence":null}')).outcome, null, 'it may retain without one');

select * from finish();
rollback;
