begin;
select plan(3);
set local role byssus_app;

select waiting_run('wf', timer());
select signal('first');
select claim('w1', 'p2');
select signal('second');
select pass_time(60);
select byssus.expire_leases(50);
select is((events())[3:], array['SignalReceived', 'SignalReceived'], 'for the next attempt to see');
select is(held(), null, 'nothing is held any more');
select is(task(), run() || ':k3', 'the task is the same');

select * from finish();
rollback;
