begin;
select plan(7);
set local role byssus_owner;

select register_sticky();
select leased_run();
create function pg_temp.refused(p_more jsonb) returns byssus.answer language sql as $$
    select byssus.sticky_refusal(
        byssus_test.the_run(), byssus_test.the_task(), byssus_test.the_registration(),
        byssus_test.sticky_cache(byssus_test.run(), p_more)
    )
$$;
create temporary table answered as select * from pg_temp.refused('{"worker_id":"w2"}');
select is((select outcome from answered), 'sticky_cache_identity_mismatch', 'another worker');
select is((pg_temp.refused('{"workflow_id":"other"}')).outcome, 'sticky_cache_identity_mismatch', 'another workflow');
select is((pg_temp.refused('{"run_id":"other"}')).outcome, 'sticky_cache_identity_mismatch', 'another run');
select is((pg_temp.refused('{"build_id":"b2"}')).outcome, 'sticky_cache_identity_mismatch', 'another build');
select is((pg_temp.refused('{"worker_id":"W1"}')).outcome, 'sticky_cache_identity_mismatch', 'case counts');
select is(
    (select body::jsonb - 'remediation' from answered),
    jsonb_build_object(
        'reason', 'sticky_cache_identity_mismatch', 'task_id', task(), 'workflow_task_attempt', 1,
        'outcome', 'rejected', 'recorded', false, 'capability', 'sticky_execution', 'requested_version', '1.20',
        'minimum_protocol_version', '1.18'
    ), 'what the worker is told'
);
select isnt((select body::jsonb ->> 'remediation' from answered), null, 'and what it can do');

select * from finish();
rollback;
