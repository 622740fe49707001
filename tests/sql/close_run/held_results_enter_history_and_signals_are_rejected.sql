begin;
select plan(5);
set local role byssus_owner;

select waiting_run('wf', timer());
select signal('applied');
select claim('w1', 'p2');
select byssus.record_event(the_run(), moment(), 'result', 'HeldResult', '{"n":1}', true);
select signal('late');
select byssus.close_run(the_run(), moment(), 'cancelled', 'cancelled', '{}', '{}', 'Ended', '{}', false);
select is(
    (events())[3:],
    array['SignalReceived', 'HeldResult', 'TimerCancelled', 'Ended', 'SignalRejected', 'SignalRejected'],
    'a result is history; each signal that workflow code never applied is rejected'
);
select is(payload('SignalRejected', 1) ->> 'signal_name', 'applied', 'the one in history first');
select is(payload('SignalRejected', 1) ->> 'signal_id', payload('SignalReceived') ->> 'signal_id', 'by its id');
select is(payload('SignalRejected', 2) ->> 'signal_name', 'late', 'then the one that was held');
select is(held(), null, 'the inbox is empty');

select * from finish();
rollback;
