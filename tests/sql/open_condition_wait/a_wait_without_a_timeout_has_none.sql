begin;
select plan(3);
set local role byssus_owner;

select leased_run();
create temporary table made as select * from byssus.open_condition_wait(the_run(), wait_for()::json, moment());
select is((select types from made), array['ConditionWaitOpened'], 'its event');
select is((select hint from made), null, 'nothing is due');
select is(rows_of('timers'), 0::bigint, 'there is no timer');

select * from finish();
rollback;
