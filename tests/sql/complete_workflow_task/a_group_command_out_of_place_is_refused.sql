begin;
select plan(4);
set local role byssus_app;

select leased_run();
create temporary table answered as
select * from complete(run(), leaf(schedule(), 1, 0, 2), leaf(schedule(), 3, 1, 2));
select is((select outcome from answered), 'invalid_commands', 'the second leaf has no position of its group');
select is((select body::jsonb ->> 'command_index' from answered), '1', 'the answer says which command');
select is(events(), array['WorkflowStarted'], 'nothing was recorded, not even the first');
select is((the_task()).status, 'leased', 'the worker may answer again');

select * from finish();
rollback;
