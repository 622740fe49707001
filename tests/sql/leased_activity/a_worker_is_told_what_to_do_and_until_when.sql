begin;
select plan(5);
set local role byssus_owner;

select running_activity(
    '{"start_to_close_timeout":30,"schedule_to_close_timeout":90,"heartbeat_timeout":10,"retry_policy":"{\"x\":1}"}'
);
create temporary table told as select body::jsonb as body from byssus.leased_activity(the_activity());
select is((select body ->> 'poll_status' from told), 'leased', 'leased');
select is((select body #>> '{task,activity_type}' from told), 'charge', 'the type');
select is((select body #> '{task,arguments}' from told), envelope(), 'the arguments');
select is((select body #> '{task,retry_policy}' from told), '{"x":1}', 'the policy as it was given');
select is(
    (select body #> '{task,deadlines}' from told),
    '{"start_to_close":"2030-01-01T00:00:30.000000Z","schedule_to_close":"2030-01-01T00:01:30.000000Z",
    "heartbeat":"2030-01-01T00:00:10.000000Z"}', 'the deadlines'
);

select * from finish();
rollback;
