begin;
select plan(1);
set local role byssus_owner;

select waiting_run('wf', schedule() - 'max_attempts');
update byssus.activities set attempt_number = 1000;
select is(
    (byssus.retry_or_close_activity(the_run(), the_activity(), moment(), true, 'failed', 'F', '')).outcome,
    'retry_scheduled', 'without a limit no attempt is the last'
);

select * from finish();
rollback;
