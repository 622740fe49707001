begin;
select plan(1);
set local role byssus_app;

select waiting_run('wf', schedule('{"schedule_to_start_timeout":10}'));
select pass_time(10);
select is((claim_activity()).outcome, 'empty', 'it is too late to start it');

select * from finish();
rollback;
