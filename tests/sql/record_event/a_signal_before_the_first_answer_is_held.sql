begin;
select plan(3);
set local role byssus_owner;

select start();
select is(byssus.record_event(the_run(), moment(), 'signal', 'SignalReceived', '{}', true), '', 'nobody is told');
select is(held(), array['SignalReceived'], 'it waits for the first workflow task to be answered');
select is(events(), array['WorkflowStarted'], 'so that history begins with what workflow code did');

select * from finish();
rollback;
