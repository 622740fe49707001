begin;
select plan(3);
set local role byssus_owner;

select retained_run('warm');
select leased_run('cold');
select is(byssus.end_workflow_lease(the_run(run('cold')), moment(), moment()), '["workflow","default","q"]', 'anyone, now');
select signal('go', 'warm');
select claim('w1', 'p2');
select is(
    byssus.end_workflow_lease(the_run(run('warm')), moment(), moment(1)),
    '["workflow","default","q","2030-01-01T00:00:01.000000Z"]', 'later, whoever looks then'
);
select is((the_task(run('warm'))).held_until, moment(6), 'a task that is ready later is held from then on');

select * from finish();
rollback;
