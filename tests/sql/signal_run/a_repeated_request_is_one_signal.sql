begin;
select plan(7);
set local role byssus_app;

select waiting_run('wf', timer());
create function pg_temp.send(p_name text, p_request text, p_digest text) returns byssus.answer language sql as
'select byssus.signal_run(''default'', ''wf'', null, p_name, null, p_request, p_digest)';
create temporary table first as select * from pg_temp.send('go', 'r1', 'd');
select is((pg_temp.send('go', 'r1', 'd')).body, (select body from first), 'the same answer');
select is((pg_temp.send('go', 'r1', 'other')).outcome, 'request_id_conflict', 'another body is refused');
select is((pg_temp.send('stop', 'r1', 'd')).outcome, 'request_id_conflict', 'another signal is refused');
select is((events())[3:], array['SignalReceived'], 'it was recorded once');
select is((pg_temp.send('go', 'r2', 'd')).outcome, 'signal_received', 'another request is another signal');
select is((pg_temp.send('go', null, 'd')).outcome, 'signal_received', 'without a request id every one counts');
select is((events())[3:], array['SignalReceived', 'SignalReceived', 'SignalReceived'], 'three in all');

select * from finish();
rollback;
