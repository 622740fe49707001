begin;
select plan(3);
set local role byssus_app;

select waiting_run('wf', timer(3), timer(1), timer(2));
select pass_time(9);
select is((byssus.fire_due_timers(2)).body, '{"count":2,"more":true}', 'two at a time');
select is((byssus.fire_due_timers(2)).body, '{"count":1,"more":false}', 'then the rest');
select is(
    (select array_agg(payload('TimerFired', n) ->> 'sequence' order by n) from generate_series(1, 3) as n),
    array['2', '3', '1'], 'the oldest first'
);

select * from finish();
rollback;
