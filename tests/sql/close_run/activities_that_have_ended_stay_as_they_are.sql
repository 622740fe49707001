begin;
select plan(3);
set local role byssus_owner;

select running_activity();
select byssus.complete_activity('default', activity(), attempt(), 'w1', null, 'd');
select pass_time(1);
select byssus.close_run(the_run(), moment(), 'cancelled', 'cancelled', '{}', '{}', 'Ended', '{}', false);
select is((the_activity()).status, 'completed', 'completed');
select is((the_activity()).closed_at, moment(-1), 'when it was');
select is((events())[4:], array['Ended'], 'and not cancelled in history');

select * from finish();
rollback;
