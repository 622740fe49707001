begin;
select plan(6);
set local role byssus_owner;

select running_activity('{"schedule_to_start_timeout":20,"start_to_close_timeout":30}');
select byssus.end_activity_lease(the_activity(), moment(5));
select is((the_activity()).status, 'pending', 'pending');
select is((the_activity()).available_at, moment(5), 'from then on');
select is((the_activity()).attempt_number, 1, 'its attempt stays counted');
select is((the_activity()).lease_owner, null, 'nobody holds it');
select is((the_activity()).poll_request_id, null, 'no poll can get it again');
select is((the_activity()).timeout_at, moment(25), 'it has to be started in time');

select * from finish();
rollback;
