begin;
select plan(3);
set local role byssus_app;

select leased_run();
create temporary table first as
select * from byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is(
    (byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd')).body, (select body from first),
    'the same answer'
);
select is((the_task()).failure_count, 1, 'one failure');
select is(
    (byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'other')).outcome,
    'conflicting_completion', 'another failure is refused'
);

select * from finish();
rollback;
