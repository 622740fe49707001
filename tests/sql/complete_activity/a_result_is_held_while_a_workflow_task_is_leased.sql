begin;
select plan(5);
set local role byssus_app;

select running_activity();
select signal();
select claim('w1', 'p2');
create temporary table answered as
select * from byssus.complete_activity('default', activity(), attempt(), 'w1', null, 'd');
select is((select outcome from answered), 'completed', 'completed');
select is(held(), array['ActivityCompleted'], 'history stands still under the worker');
select is((the_activity()).status, 'completed', 'but the activity has ended');
select complete(run(), timer());
select is((events())[4:], array['TimerScheduled', 'ActivityCompleted'], 'the event follows the worker''s own');
select is((the_task()).status, 'ready', 'and wakes the run');

select * from finish();
rollback;
