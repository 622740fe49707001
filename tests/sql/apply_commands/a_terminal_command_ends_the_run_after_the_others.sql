begin;
select plan(4);
set local role byssus_owner;

select leased_run();
create temporary table answered as
select * from byssus.apply_commands(the_run(), the_task(), json_build_array(side_effect(), completes()), moment());
select is((select body::jsonb ->> 'run_status' from answered), 'completed', 'the run is completed');
select is(events(), array['WorkflowStarted', 'SideEffectRecorded', 'WorkflowCompleted'], 'after its last command');
select is((the_run()).last_authored_position, 1, 'the position is kept');
select is((the_run()).applied_through_sequence, 1::bigint, 'and how far its history was applied');

select * from finish();
rollback;
