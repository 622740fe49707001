begin;
select plan(5);
set local role byssus_app;

select running_activity();
create function pg_temp.complete(p_owner text, p_digest text) returns byssus.answer language sql as $$
    select byssus.complete_activity(
        'default', byssus_test.activity(), byssus_test.activity() || '.1', p_owner, null, p_digest
    )
$$;
create temporary table first as select * from pg_temp.complete('w1', 'd');
select is((pg_temp.complete('w1', 'd')).body, (select body from first), 'the same answer');
select is((pg_temp.complete('w1', 'd')).hints, null, 'and no hints again');
select is((pg_temp.complete('w1', 'other')).outcome, 'conflicting_completion', 'another result is refused');
select is((pg_temp.complete('w2', 'd')).outcome, 'conflicting_completion', 'another worker is refused');
select is((events())[3:], array['ActivityCompleted'], 'it was recorded once');

select * from finish();
rollback;
