begin;
select plan(2);
set local role byssus_owner;

select leased_run();
create temporary table answered as
select * from byssus.suspend_run(the_run(), the_task(), moment(), array['A'], array['{}'], array['"hint"'], true);
select is(task(), run() || ':k2', 'a task for the history that there is now');
select is((select hints from answered), '["hint",["workflow","default","q"]]', 'pollers are told');

select * from finish();
rollback;
