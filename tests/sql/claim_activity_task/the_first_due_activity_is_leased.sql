begin;
select plan(8);
set local role byssus_app;

select waiting_run('wf', schedule('{"start_to_close_timeout":30}'));
create temporary table answered as select * from byssus.claim_activity_task(poll());
select is((select outcome from answered), 'leased', 'the poll gets an activity');
create temporary table told as select body::jsonb -> 'task' as task from answered;
select is((select task ->> 'task_id' from told), activity(), 'it is the run''s');
select is((select task ->> 'activity_attempt_id' from told), run() || ':a1.1', 'in its first attempt');
select is((select task -> 'arguments' from told), envelope(), 'with its arguments');
select is((select task #>> '{deadlines,start_to_close}' from told), '2030-01-01T00:00:30.000000Z', 'and its deadline');
select is((the_activity()).status, 'running', 'it runs');
select is((the_activity()).lease_expires_at, moment(90), 'its lease outlasts its timeout');
select is((events())[2:], array['ActivityScheduled'], 'history says nothing of it yet');

select * from finish();
rollback;
