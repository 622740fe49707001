begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 60));
select byssus.record_event(the_run(), moment(), 'condition_timeout', 'TimerFired', '{}', true, 1);
select is((the_run()).open_wait_position, null, 'the wait is over');
select is((the_run()).open_wait_fields, null, 'and its fields are gone');
select is((the_task()).status, 'ready', 'workflow code goes on');

select * from finish();
rollback;
