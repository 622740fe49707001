begin;
select plan(4);
set local role byssus_app;

select leased_run();
select signal('first');
select signal('second');
select complete(run(), timer());
select is(
    events(), array['WorkflowStarted', 'TimerScheduled', 'SignalReceived', 'SignalReceived'],
    'what was held comes behind what the worker decided'
);
select is(payload('SignalReceived', 1) ->> 'signal_name', 'first', 'in order of arrival');
select is(task(), run() || ':k4', 'and the run is woken for it');
select is((the_run()).applied_through_sequence, 1::bigint, 'for the worker had been given only the start');

select * from finish();
rollback;
