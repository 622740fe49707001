begin;
select plan(10);
set local role byssus_app;

select waiting_run('wf', timer(10), timer(20));
select is((byssus.fire_due_timers(50)).body, '{"count":0,"more":false}', 'none is due yet');
select pass_time(10);
create temporary table answered as select * from byssus.fire_due_timers(50);
select is((select outcome from answered), 'swept', 'swept');
select is((select body from answered), '{"count":1,"more":false}', 'one fired');
select is((events())[4:], array['TimerFired'], 'history says so');
select is(payload('TimerFired') ->> 'fired_at', '2030-01-01T00:00:10.000000Z', 'and when');
select is((the_task()).status, 'ready', 'workflow code goes on');
select is(
    (select hints from answered)::jsonb,
    jsonb_build_array(jsonb_build_array('run', run()), '["workflow","default","q"]'::jsonb), 'and pollers are told'
);
select is((byssus.fire_due_timers(50)).body, '{"count":0,"more":false}', 'a timer fires once');
select is((the_timer(run(), 2)).fire_at, moment(10), 'the other still waits');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
