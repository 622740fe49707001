begin;
select plan(6);
set local role byssus_owner;

select running_activity('{"max_attempts":1}');
create temporary table ended as
select * from byssus.retry_or_close_activity(
    the_run(), the_activity(), moment(), true, 'failed', 'ActivityFailed', ',"message":"no"'
);
select is((select outcome from ended), 'failed', 'no attempt is left');
select is((select available_at from ended), null, 'there is no next one');
select is((the_activity()).status, 'failed', 'the activity has failed');
select is((the_activity()).closed_at, moment(), 'now');
select is((events())[3:], array['ActivityFailed'], 'history says so');
select is((the_task()).status, 'ready', 'workflow code has to look');

select * from finish();
rollback;
