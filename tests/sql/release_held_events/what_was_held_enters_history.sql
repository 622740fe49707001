begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for());
select signal('first');
select claim('w1', 'p2');
update byssus.runs set open_wait_has_news = false;
select signal('second');
select is(byssus.release_held_events(the_run(), moment()), 4::bigint, 'the answer is where history ends');
select is((events())[3:], array['SignalReceived', 'SignalReceived'], 'in order of arrival');
select is((the_run()).open_wait_has_news, true, 'a signal is news for the open wait');

select * from finish();
rollback;
