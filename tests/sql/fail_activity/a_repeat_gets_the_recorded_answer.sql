begin;
select plan(3);
set local role byssus_app;

select running_activity();
create function pg_temp.fail(p_digest text) returns byssus.answer language sql as $$
    select byssus.fail_activity(
        'default', byssus_test.activity(), byssus_test.activity() || '.1', 'w1',
        '{"non_retryable":false,"fields":"{\"message\":\"no\"}"}', p_digest
    )
$$;
create temporary table first as select * from pg_temp.fail('d');
select is((pg_temp.fail('d')).body, (select body from first), 'the same answer');
select is((pg_temp.fail('other')).outcome, 'conflicting_completion', 'another failure is refused');
select is((events())[3:], array['ActivityRetryScheduled'], 'one retry');

select * from finish();
rollback;
