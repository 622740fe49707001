begin;
select plan(3);
set local role byssus_app;

select waiting_run('wf', schedule());
select is((claim_activity('w9')).outcome, 'worker_not_registered', 'an unknown worker');
select is(
    (select outcome from byssus.claim_activity_task(poll('w1', 'p', '{"task_queue":"q2"}'))), 'task_queue_mismatch',
    'another queue'
);
select is((the_activity()).status, 'pending', 'the activity is untouched');

select * from finish();
rollback;
