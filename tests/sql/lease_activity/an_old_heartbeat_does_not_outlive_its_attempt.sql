begin;
select plan(2);
set local role byssus_owner;

select running_activity();
select byssus.heartbeat_activity('default', activity(), attempt(), 'w1', '{"done":1}', 60);
select byssus.end_activity_lease(the_activity(), moment());
select byssus.lease_activity(poll('w1', 'p2') -> 0, the_registration(), moment());
select is((the_activity()).last_heartbeat_at, null, 'the second attempt has sent none');
select is((the_activity()).heartbeat_details::text, null, 'and has no details');

select * from finish();
rollback;
