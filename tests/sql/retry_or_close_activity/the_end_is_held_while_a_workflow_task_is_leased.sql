begin;
select plan(3);
set local role byssus_owner;

select running_activity();
select signal();
select claim();
create temporary table ended as
select * from byssus.retry_or_close_activity(the_run(), the_activity(), moment(), true, 'failed', 'F', '');
select is(held(), array['ActivityRetryScheduled'], 'the event waits');
select is((the_activity()).status, 'pending', 'the activity does not');
select is(
    (select hints from ended), '["activity","default","q","2030-01-01T00:00:10.000000Z"]', 'and pollers are told'
);

select * from finish();
rollback;
