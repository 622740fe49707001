begin;
select plan(2);
set local role byssus_owner;

select waiting_run('wf', wait_for());
select byssus.record_event(the_run(), moment(), 'result', 'Happened', '{}', true);
select is((the_run()).open_wait_has_news, false, 'a result is no news: a condition is made true by receivers');
select byssus.record_event(the_run(), moment(), 'signal', 'SignalReceived', '{}', true);
select is((the_run()).open_wait_has_news, true, 'a signal is');

select * from finish();
rollback;
