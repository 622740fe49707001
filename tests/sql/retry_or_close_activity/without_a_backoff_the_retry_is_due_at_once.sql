begin;
select plan(1);
set local role byssus_owner;

select running_activity('{"backoff_seconds":[]}');
select is(
    (byssus.retry_or_close_activity(the_run(), the_activity(), moment(), true, 'failed', 'F', '')).available_at,
    moment(), 'there is nothing to wait for'
);

select * from finish();
rollback;
