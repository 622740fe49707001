begin;
select plan(3);
set local role byssus_app;

select leased_run();
select complete(run(), wait_for('paid', 0));
select is((events())[2:], array['ConditionWaitOpened', 'ConditionWaitTimedOut'], 'opened and timed out');
select is((the_run()).open_wait_position, null, 'no wait is open');
select is((the_task()).status, 'ready', 'workflow code goes on');

select * from finish();
rollback;
