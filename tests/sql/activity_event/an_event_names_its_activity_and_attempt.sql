begin;
select plan(1);
set local role byssus_owner;

select running_activity();
select is(
    byssus.activity_event(the_activity(), ',"more":1'),
    '{"sequence":1,"activity_execution_id":"' || run() || ':a1","activity_type":"charge","activity_attempt_id":"'
    || run() || ':a1.1","attempt_number":1,"more":1}', 'and adds what it has to say'
);

select * from finish();
rollback;
