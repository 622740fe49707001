begin;
select plan(4);
set local role byssus_owner;

select leased_run();
select byssus.end_workflow_lease(the_run(), moment(), moment());
select is((the_task()).sticky_replay_mode, null, 'its mode');
select is((the_task()).sticky_claimed_at, null, 'when it was claimed');
select is((the_task()).after_sequence, null, 'where its history began');
select is((the_task()).delivered_sequence, null, 'and how much of it was delivered');

select * from finish();
rollback;
