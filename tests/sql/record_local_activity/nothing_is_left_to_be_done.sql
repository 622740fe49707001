begin;
select plan(5);
set local role byssus_owner;

create temporary table local_activity as
select '{"type":"record_local_activity","outcome":"failed","fields":"{\"execution_mode\":\"local\"}",
    "outcome_fields":"{\"execution_mode\":\"local\"}"}'::jsonb as command;
select leased_run();
create temporary table made as
select m.* from local_activity as l, byssus.record_local_activity(the_run(), l.command::json) as m;
select is((select hint from made), null, 'no queue has work');
select is((select wakes from made), false, 'nothing has to be woken');

select complete(run(), l.command, wait_for('paid')) from local_activity as l;
select is(
    events(), array['WorkflowStarted', 'ActivityScheduled', 'ActivityFailed', 'ConditionWaitOpened'],
    'it is in history before what follows it'
);
select is(rows_of('activities'), 0::bigint, 'it has no row');
select is(the_task(), null, 'the run waits');

select * from finish();
rollback;
