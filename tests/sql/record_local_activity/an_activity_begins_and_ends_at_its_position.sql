begin;
select plan(3);
set local role byssus_owner;

select leased_run();
update byssus.runs set last_authored_position = 2;
create temporary table made as
select * from byssus.record_local_activity(
    the_run(), '{"type":"record_local_activity","outcome":"completed",
        "fields":"{\"activity_type\":\"charge\",\"arguments\":{\"a\":  1}}",
        "outcome_fields":"{\"activity_type\":\"charge\",\"result\":{\"b\":  1.10}}"}'
);
select is((select types from made), array['ActivityScheduled', 'ActivityCompleted'], 'two events');
select is(
    (select payloads[1] from made),
    '{"sequence":2,"activity_execution_id":"' || activity(run(), 2)
    || '","activity_type":"charge","arguments":{"a":  1}}',
    'what was asked for, byte for byte'
);
select is(
    (select payloads[2] from made),
    '{"sequence":2,"activity_execution_id":"' || activity(run(), 2)
    || '","activity_type":"charge","result":{"b":  1.10}}',
    'what it came to, under the same identity'
);

select * from finish();
rollback;
