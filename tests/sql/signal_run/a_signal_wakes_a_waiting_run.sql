begin;
select plan(6);
set local role byssus_app;

select waiting_run('wf', wait_for());
create temporary table answered as
select * from byssus.signal_run('default', 'wf', null, 'go', envelope()::json, null, 'd');
select is((select outcome from answered), 'signal_received', 'accepted');
select is((events())[3:], array['SignalReceived'], 'recorded at once');
select is(payload('SignalReceived') -> 'arguments', envelope(), 'with its arguments');
select is(payload('SignalReceived') ->> 'signal_id', (select body::jsonb ->> 'signal_id' from answered), 'and its id');
select is((the_task()).status, 'ready', 'workflow code will see it');
select is(
    (select hints from answered)::jsonb,
    jsonb_build_array(jsonb_build_array('run', run()), '["workflow","default","q"]'::jsonb), 'and pollers are told'
);

select * from finish();
rollback;
