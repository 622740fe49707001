begin;
select plan(1);
set local role byssus_owner;

select running_activity('{"schedule_to_close_timeout":10}');
select is(
    (byssus.retry_or_close_activity(the_run(), the_activity(), moment(), true, 'failed', 'F', '')).outcome,
    'failed', 'the next attempt could only begin when the activity has to be over'
);

select * from finish();
rollback;
