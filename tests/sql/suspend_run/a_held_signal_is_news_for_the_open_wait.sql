begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for());
select byssus.record_event(the_run(), moment(), 'result', 'Happened', '{}', true);
select claim('w1', 'p2');
select byssus.suspend_run(the_run(), the_task(), moment(), array['A'], array['{}'], array['"hint"'], true);
select is((the_run()).open_wait_has_news, false, 'without one there is none');
select claim('w1', 'p3');
select signal();
select byssus.suspend_run(the_run(), the_task(), moment(), array['A'], array['{}'], array['"hint"'], false);
select is((the_run()).open_wait_has_news, true, 'with one there is');
select is((the_run()).open_wait_position, 1, 'and the wait stays open');

select * from finish();
rollback;
