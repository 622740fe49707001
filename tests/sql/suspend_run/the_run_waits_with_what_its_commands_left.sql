begin;
select plan(4);
set local role byssus_owner;

select leased_run();
create temporary table answered as
select * from byssus.suspend_run(the_run(), the_task(), moment(), array['A'], array['{}'], array['"hint"'], false);
select is((select body::jsonb ->> 'run_status' from answered), 'waiting', 'it waits');
select is((select hints from answered), '["hint"]', 'the hints of its commands are passed on');
select is((the_run()).has_answered_task, true, 'its first task has been answered');
select is(the_task(), null, 'there is no other');

select * from finish();
rollback;
