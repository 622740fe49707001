begin;
select plan(7);
set local role byssus_app;

select leased_run();
create function pg_temp.fail(p_attempt integer) returns timestamptz language sql as $$
    select byssus.fail_workflow_task('default', byssus_test.task(), 'w1', p_attempt, '{"message":"no"}', 'd');
    select (byssus_test.the_task()).available_at;
$$;
select is(pg_temp.fail(1), moment(1), 'after a second');
select pass_time(60);
select claim('w1', 'p2');
select is(pg_temp.fail(2), moment(2), 'after two');
select pass_time(60);
select claim('w1', 'p3');
select is(pg_temp.fail(3), moment(4), 'after four');
select is((the_task()).failure_count, 3, 'failures are counted');
select is((the_task()).last_failure::jsonb, '{"message":"no"}', 'and the last one is kept');
select is(events(), array['WorkflowStarted'], 'they are no part of history');
select is((the_run()).status, 'pending', 'and the run does not fail');

select * from finish();
rollback;
