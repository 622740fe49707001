begin;
select plan(4);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
create temporary table before as select the_affinity()::text as affinity;
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is(the_affinity()::text, (select affinity from before), 'its worker holds what it held');
select pass_time(1);
create temporary table told as select body::jsonb -> 'task' as task from claim('w1', 'p3');
select is((select task ->> 'sticky_replay_mode' from told), 'sticky_hit_expected', 'and is expected to use it');
select is((select task ->> 'history_after_sequence' from told), '1', 'from where it held it');
select byssus.fail_workflow_task(
    'default', task(), 'w1', 2, '{"type":"WorkflowTaskWaitingForHistory","message":"not yet"}', 'd'
);
select is(the_affinity()::text, (select affinity from before), 'also when it only waits for history');

select * from finish();
rollback;
