begin;
select plan(5);
set local role byssus_owner;

select waiting_run('wf', timer());
select signal('wake');
select claim();
select is(byssus.record_event(the_run(), moment(), 'result', 'First', '{}', false), '', 'nobody is told yet');
select is(byssus.record_event(the_run(), moment(), 'signal', 'Second', '{}', true), '', 'nor of a signal');
select is(held(), array['First', 'Second'], 'both wait in order of arrival');
select is((events())[3:], array['SignalReceived'], 'history stands still under the worker');
select is(
    (select array_agg(arrival order by arrival) from byssus.inbox where run_id = run()), array[1, 2]::bigint[],
    'arrivals are numbered'
);

select * from finish();
rollback;
