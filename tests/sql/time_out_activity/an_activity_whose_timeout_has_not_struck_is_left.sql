begin;
select plan(3);
set local role byssus_owner;

select running_activity('{"start_to_close_timeout":30}');
select is(byssus.time_out_activity(the_run(), 1, moment(29)), null, 'not yet');
select is(byssus.time_out_activity(the_run(), 2, moment(99)), null, 'there is no such activity');
select is((the_activity()).status, 'running', 'it runs on');

select * from finish();
rollback;
