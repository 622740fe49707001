begin;
select plan(2);
set local role byssus_app;

select waiting_run('wf', leaf(timer(1), 1, 0, 2), leaf(timer(2), 1, 1, 2));
select pass_time(1);
select byssus.fire_due_timers(50);
select is(the_task(), null, 'the other leaf still waits');
select pass_time(1);
select byssus.fire_due_timers(50);
select is((the_task()).status, 'ready', 'now the group has ended');

select * from finish();
rollback;
