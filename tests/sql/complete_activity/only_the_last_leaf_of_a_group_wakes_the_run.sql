begin;
select plan(2);
set local role byssus_app;

select waiting_run('wf', leaf(schedule(), 1, 0, 2), leaf(schedule(), 1, 1, 2));
select claim_activity('w1', 'a');
select claim_activity('w1', 'b');
select byssus.complete_activity('default', activity(run(), 2), attempt(run(), 2), 'w1', null, 'd');
select is(the_task(), null, 'the other leaf still runs');
select byssus.complete_activity('default', activity(run(), 1), attempt(run(), 1), 'w1', null, 'd');
select is((the_task()).status, 'ready', 'now the group has ended');

select * from finish();
rollback;
