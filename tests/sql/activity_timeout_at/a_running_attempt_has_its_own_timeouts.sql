begin;
select plan(3);
set local role byssus_owner;

select running_activity('{"schedule_to_start_timeout":2,"start_to_close_timeout":30,"heartbeat_timeout":10}');
select is(byssus.activity_timeout_at(the_activity()), moment(10), 'no heartbeat yet: counted from its start');
select pass_time(5);
select byssus.heartbeat_activity('default', activity(), attempt(), 'w1', null, 60);
select is(byssus.activity_timeout_at(the_activity()), moment(10), 'counted from the last heartbeat');
select pass_time(9);
select byssus.heartbeat_activity('default', activity(), attempt(), 'w1', null, 60);
select pass_time(9);
select byssus.heartbeat_activity('default', activity(), attempt(), 'w1', null, 60);
select is(byssus.activity_timeout_at(the_activity()), moment(7), 'heartbeats do not prolong start-to-close');

select * from finish();
rollback;
