begin;
select plan(1);
set local role byssus_app;

select leased_run();
select byssus.fail_workflow_task(
    'default', task(), 'w1', 1, '{"type":"NonDeterministicReplayError","message":"no"}', 'd'
);
select is((the_task()).available_at, moment(60), 'until a fitting worker may have come');

select * from finish();
rollback;
