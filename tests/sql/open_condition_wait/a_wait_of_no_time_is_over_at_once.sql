begin;
select plan(3);
set local role byssus_owner;

select leased_run();
create temporary table made as select * from byssus.open_condition_wait(the_run(), wait_for('x', 0)::json, moment());
select is((select types from made), array['ConditionWaitOpened', 'ConditionWaitTimedOut'], 'opened and timed out');
select is((select payloads[1] from made), (select payloads[2] from made), 'with the same members');
select is((select wakes from made), true, 'workflow code goes on');

select * from finish();
rollback;
