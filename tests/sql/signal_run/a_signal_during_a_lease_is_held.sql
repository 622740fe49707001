begin;
select plan(4);
set local role byssus_app;

select leased_run();
create temporary table answered as select * from signal();
select is((select outcome from answered), 'signal_received', 'accepted');
select is((select hints from answered), '[]', 'nobody can do anything with it yet');
select is(held(), array['SignalReceived'], 'it waits for the end of the lease');
select is(events(), array['WorkflowStarted'], 'history stands still');

select * from finish();
rollback;
