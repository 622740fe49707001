begin;
select plan(7);
set local role byssus_app;

select running_activity();
create temporary table answered as
select * from byssus.complete_activity('default', activity(), attempt(), 'w1', envelope()::json, 'd');
select is((select outcome from answered), 'completed', 'completed');
select is((the_activity()).status, 'completed', 'the activity has ended');
select is((events())[3:], array['ActivityCompleted'], 'history says so');
select is(payload('ActivityCompleted') -> 'result', envelope(), 'with the result');
select is(payload('ActivityCompleted') ->> 'activity_attempt_id', run() || ':a1.1', 'of that attempt');
select is((the_task()).status, 'ready', 'workflow code goes on');
select lives_ok('set constraints all immediate', 'the guard agrees at commit');

select * from finish();
rollback;
