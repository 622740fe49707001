begin;
select plan(1);
set local role byssus_owner;

select running_activity('{"max_attempts":9}');
update byssus.activities set attempt_number = 5;
select is(
    (byssus.retry_or_close_activity(the_run(), the_activity(), moment(), true, 'failed', 'F', '')).available_at,
    moment(20), 'the fifth attempt waits as long as the second'
);

select * from finish();
rollback;
