begin;
select plan(6);
set local role byssus_owner;

select running_activity();
create function pg_temp.refusal(p_attempt text) returns text language sql as
'select byssus.activity_refusal(byssus_test.the_run(), byssus_test.the_activity(), p_attempt, ''w2'', now())';
select is(byssus.activity_refusal(null, null, attempt(), 'w1', moment()), 'attempt_not_found', 'no run');
select is(byssus.activity_refusal(the_run(), null, attempt(), 'w1', moment()), 'attempt_not_found', 'no activity');
select is(pg_temp.refusal('nonsense'), 'attempt_not_found', 'no attempt id');
select is(pg_temp.refusal(run() || ':a1.2'), 'attempt_not_found', 'an attempt that is still to come');
select is(pg_temp.refusal(run() || ':a2.1'), 'task_mismatch', 'an attempt of another activity');
select is(pg_temp.refusal(attempt()), 'lease_owner_mismatch', 'only then who calls');

select * from finish();
rollback;
