begin;
select plan(3);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
select signal();
select complete(run(), wait_for('more'));
select is((the_affinity()).run_id, null, 'the run is in no cache any more');
select is((the_task()).sticky_worker_id, null, 'nor is its next task');
select is((claim('w1', 'p3')).body::jsonb #>> '{task,sticky_replay_mode}', 'cold_replay', 'which is claimed cold');

select * from finish();
rollback;
