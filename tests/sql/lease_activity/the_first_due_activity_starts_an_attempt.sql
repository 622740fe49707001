begin;
select plan(5);
set local role byssus_owner;

select waiting_run('wf', schedule(), schedule());
create temporary table answered as
select * from byssus.lease_activity(poll() -> 0, the_registration(), moment());
select is((select outcome from answered), 'leased', 'leased');
select is((the_activity(run(), 1)).status, 'running', 'the older one');
select is((the_activity(run(), 1)).attempt_number, 1, 'as its first attempt');
select is((the_activity(run(), 1)).poll_request_id::text, 'p1', 'for this poll');
select is((the_activity(run(), 2)).status, 'pending', 'the other waits');

select * from finish();
rollback;
