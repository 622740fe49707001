begin;
select plan(1);
set local role byssus_owner;

select running_activity('{"start_to_close_timeout":30}');
select byssus.complete_activity('default', activity(), attempt(), 'w1', null, 'd');
select is(byssus.activity_timeout_at(the_activity()), null, 'it is over');

select * from finish();
rollback;
