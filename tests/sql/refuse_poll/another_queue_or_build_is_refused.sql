begin;
select plan(3);
set local role byssus_owner;

select register('w1', '{"build_id":"b1"}');
create function pg_temp.outcome(p_more jsonb) returns text language sql as
'select (byssus.refuse_poll(byssus_test.poll(''w1'', ''p'', p_more) -> 0, byssus_test.the_registration())).outcome';
select is(pg_temp.outcome('{"task_queue":"q2"}'), 'task_queue_mismatch', 'another queue');
select is(pg_temp.outcome('{"build_id":"b2"}'), 'build_id_mismatch', 'another build');
select is(pg_temp.outcome('{"build_id":"b1"}'), null, 'its own');

select * from finish();
rollback;
