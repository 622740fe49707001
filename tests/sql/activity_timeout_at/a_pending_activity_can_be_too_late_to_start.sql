begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', schedule('{"schedule_to_start_timeout":20,"start_to_close_timeout":5,"heartbeat_timeout":1}'));
select is(byssus.activity_timeout_at(the_activity()), moment(20), 'schedule-to-start, and no timeout of an attempt');
select waiting_run('both', schedule('{"schedule_to_start_timeout":20,"schedule_to_close_timeout":10}'));
select is(byssus.activity_timeout_at(the_activity(run('both'))), moment(10), 'or schedule-to-close, whichever is first');
select waiting_run('none', schedule());
select is(byssus.activity_timeout_at(the_activity(run('none'))), null, 'without a timeout never');

select * from finish();
rollback;
