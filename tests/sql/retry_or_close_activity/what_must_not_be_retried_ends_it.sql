begin;
select plan(1);
set local role byssus_owner;

select running_activity();
select is(
    (byssus.retry_or_close_activity(the_run(), the_activity(), moment(), false, 'failed', 'F', '')).outcome,
    'failed', 'although attempts are left'
);

select * from finish();
rollback;
