begin;
select plan(3);
set local role byssus_app;

select register('types', '{"activity_types":["other"]}');
select waiting_run('wf', schedule(), schedule('{"task_queue":"q2"}'));
select is((claim_activity('types', 'p')).outcome, 'empty', 'another activity type');
select is((claim_activity('w1', 'p1')).body::jsonb #>> '{task,task_id}', run() || ':a1', 'its own');
select is((claim_activity('w1', 'p2')).outcome, 'empty', 'but not one of another queue');

select * from finish();
rollback;
