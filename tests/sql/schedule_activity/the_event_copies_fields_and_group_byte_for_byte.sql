begin;
select plan(1);
set local role byssus_owner;

select leased_run();
update byssus.runs set last_authored_position = 1;
select is(
    (byssus.schedule_activity(
        the_run(), '{"activity_type":"charge","task_queue":"q","backoff_seconds":[],"non_retryable_error_types":[],
        "fields":"{\"activity_type\":  \"charge\"}","group":"{\"parallel_group_path\": [1]}"}', moment()
    )).payloads[1],
    '{"sequence":1,"activity_execution_id":"' || run() || ':a1","activity_type":  "charge","parallel_group_path": [1]}',
    'in this order'
);

select * from finish();
rollback;
