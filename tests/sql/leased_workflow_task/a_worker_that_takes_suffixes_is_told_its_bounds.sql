begin;
select plan(5);
set local role byssus_owner;

select retained_run();
select signal();
select claim('w1', 'p2');
create temporary table told as
select body::jsonb -> 'task' as task from byssus.leased_workflow_task(the_run(), the_task(), true, null, null);
select is((select task ->> 'sticky_replay_mode' from told), 'sticky_hit_expected', 'what to expect of its cache');
select is((select task ->> 'history_after_sequence' from told), '1', 'what it holds');
select is((select task ->> 'history_last_sequence' from told), '3', 'and where it ends');
select is((select task -> 'history_events' from told), '[]', 'no events are an empty page');
select is((select task ->> 'total_history_events' from told), '3', 'history is counted from the beginning all the same');

select * from finish();
rollback;
