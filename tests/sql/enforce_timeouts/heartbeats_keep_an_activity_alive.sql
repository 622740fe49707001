begin;
select plan(5);
set local role byssus_app;

select running_activity('{"heartbeat_timeout":10}');
select pass_time(8);
select byssus.heartbeat_activity('default', activity(), attempt(), 'w1', null, 60);
select pass_time(8);
select is((byssus.enforce_timeouts(50)).body, '{"count":0,"more":false}', 'the row said 10 s, the heartbeat moved it');
select is((the_activity()).timeout_at, moment(2), 'now the row says so too');
select is((the_activity()).status, 'running', 'it runs on');
select pass_time(2);
select is((byssus.enforce_timeouts(50)).body, '{"count":1,"more":false}', 'without another heartbeat it times out');
select is(payload('ActivityRetryScheduled') ->> 'timeout_kind', 'heartbeat', 'for that reason');

select * from finish();
rollback;
