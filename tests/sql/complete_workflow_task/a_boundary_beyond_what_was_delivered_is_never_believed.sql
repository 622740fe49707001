begin;
select plan(4);
set local role byssus_app;

select retained_run();
select signal();
select byssus.claim_workflow_task(poll('w1', 'p2', '{"page_size":1}'));
select is((retain(run(), '{"history_last_sequence":3}', wait_for('more'))).outcome, 'completed', 'the work is valid');
select is((the_affinity()).delivered_sequence, 2::bigint, 'but only so much was delivered');
select signal();
create temporary table told as select body::jsonb -> 'task' as task from claim('w1', 'p3');
select is((select task ->> 'sticky_replay_mode' from told), 'forced_cold_replay', 'so the next claim is cold');
select is((select task #>> '{history_events,0,sequence}' from told), '1', 'with full history');

select * from finish();
rollback;
