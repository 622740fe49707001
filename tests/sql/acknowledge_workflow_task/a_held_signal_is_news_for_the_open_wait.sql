begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', wait_for());
select byssus.record_event(the_run(), moment(), 'result', 'Happened', '{}', true);
select claim('w1', 'p2');
select signal();
select byssus.acknowledge_workflow_task(the_run(), the_task(), moment());
select is((the_run()).open_wait_position, 1, 'the wait stays open');
select is((the_run()).open_wait_has_news, true, 'and has to be looked at');

select * from finish();
rollback;
