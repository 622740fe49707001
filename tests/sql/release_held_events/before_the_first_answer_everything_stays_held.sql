begin;
select plan(2);
set local role byssus_owner;

select leased_run();
select signal();
select is(byssus.release_held_events(the_run(), moment()), 1::bigint, 'history does not grow');
select is(held(), array['SignalReceived'], 'the signal waits on');

select * from finish();
rollback;
