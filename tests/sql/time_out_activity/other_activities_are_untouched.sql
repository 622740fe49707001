begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', schedule('{"schedule_to_start_timeout":5}'), schedule('{"schedule_to_start_timeout":5}'));
select waiting_run('other', schedule('{"schedule_to_start_timeout":5}'));
select byssus.time_out_activity(the_run(), 2, moment(5));
select is((the_activity(run(), 2)).status, 'timed_out', 'the one that was named');
select is((the_activity(run(), 1)).status, 'pending', 'not another of its run');
select is((the_activity(run('other'))).status, 'pending', 'nor of another run');

select * from finish();
rollback;
