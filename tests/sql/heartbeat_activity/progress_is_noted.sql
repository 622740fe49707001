begin;
select plan(6);
set local role byssus_app;

select running_activity();
select pass_time(20);
create temporary table answered as
select * from byssus.heartbeat_activity('default', activity(), attempt(), 'w1', '{"done":5}', 60);
select is((select outcome from answered), 'heartbeat_recorded', 'recorded');
select is((the_activity()).last_heartbeat_at, moment(), 'with the moment');
select is((the_activity()).heartbeat_details::text, '{"done":5}', 'and the details');
select is((the_activity()).lease_expires_at, moment(40), 'the lease is not renewed while half of it is left');
select is((select body::jsonb ->> 'can_continue' from answered), 'true', 'it may go on');
select pass_time(20);
select byssus.heartbeat_activity('default', activity(), attempt(), 'w1', null, 60);
select is((the_activity()).lease_expires_at, moment(60), 'then it is');

select * from finish();
rollback;
