begin;
select plan(2);
set local role byssus_app;

select waiting_run('wf', timer());
select signal('first');
select claim('w1', 'p2');
select signal('second');
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is((events())[3:], array['SignalReceived', 'SignalReceived'], 'for the next attempt to see');
select is(held(), null, 'nothing is held any more');

select * from finish();
rollback;
