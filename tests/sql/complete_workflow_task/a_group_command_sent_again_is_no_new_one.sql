begin;
select plan(2);
set local role byssus_app;

select waiting_run('wf', leaf(schedule(), 1, 0, 2), leaf(timer(1), 1, 1, 2));
select signal();
select claim('w1', 'p2');
select complete(run(), leaf(schedule(), 1, 0, 2), leaf(timer(1), 1, 1, 2), timer(5));
select is((events())[5:], array['TimerScheduled'], 'only the new command is recorded');
select is(payload('TimerScheduled', 2) ->> 'sequence', '3', 'at the next position');

select * from finish();
rollback;
