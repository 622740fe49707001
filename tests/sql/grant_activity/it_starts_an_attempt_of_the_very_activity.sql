begin;
select plan(6);
set local role byssus_owner;

select waiting_run('wf', schedule(), schedule('{"start_to_close_timeout":7}'));
create temporary table answered as
select * from byssus.grant_activity(poll() -> 0, the_registration(), the_activity(run(), 2), moment());
select is((select outcome from answered), 'leased', 'leased');
select is((select body::jsonb #>> '{task,activity_attempt_id}' from answered), activity(run(), 2) || '.1', 'the very one');
select is((the_activity(run(), 2)).attempt_number, 1, 'as its first attempt');
select is((the_activity(run(), 2)).lease_expires_at, moment(67), 'for the lease and the time that it may take');
select is((the_activity(run(), 2)).poll_request_id::text, 'p1', 'for this poll');
select is((the_activity(run(), 1)).status, 'pending', 'the other waits');

select * from finish();
rollback;
