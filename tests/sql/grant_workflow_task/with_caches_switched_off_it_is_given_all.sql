begin;
select plan(4);
set local role byssus_owner;

select retained_run();
select signal();
delete from byssus.sticky_counts;
create temporary table told as
select (byssus.grant_workflow_task(
    poll('w1', 'p2', '{"sticky_execution":false}') -> 0, the_registration(), the_run(), moment()
)).body::jsonb -> 'task' as task;
select is((select task ->> 'sticky_replay_mode' from told), 'cold_replay', 'nothing is expected of it');
select is((select jsonb_array_length(task -> 'history_events') from told), 3, 'all of history');
select is((the_task()).after_sequence, 0::bigint, 'from the beginning');
select is(rows_of('sticky_counts'), 0::bigint, 'nobody counts it, caches being switched off');

select * from finish();
rollback;
