begin;
select plan(3);
set local role byssus_owner;

select waiting_run('wf', wait_for('paid', 60));
select byssus.close_run(the_run(), moment(), 'cancelled', 'cancelled', '{}', '{}', 'Ended', '{}', false);
select is((events())[4:], array['TimerCancelled', 'Ended'], 'the timer of its wait is cancelled');
select is((the_run()).open_wait_position, null, 'no wait is open');
select is((the_run()).open_wait_has_news, false, 'and there is no news for one');

select * from finish();
rollback;
