begin;
select plan(3);
set local role byssus_app;

select retained_run();
select signal();
select claim('w1', 'p2');
select byssus.fail_workflow_task('default', task(), 'w1', 1, '{"message":"no"}', 'd');
select is((the_task()).held_until, moment(6), 'it will be held');
select is((byssus.probe_wakeups('[["workflow","default","q"]]', '[]', 60)).body, '{"ready":[],"held":[],"grown":[]}', 'not yet');
select pass_time(1);
select is(
    (byssus.probe_wakeups('[["workflow","default","q"]]', '[]', 60)).body,
    '{"ready":[],"held":[["workflow","default","q","w1"]],"grown":[]}', 'now'
);

select * from finish();
rollback;
