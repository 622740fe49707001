begin;
select plan(5);
set local role byssus_owner;

select retained_run();
select signal();
select is(byssus.has_ready_workflow_task('default', 'q', moment(), 0), false, 'any worker has to wait');
select is(byssus.has_ready_workflow_task('default', 'q', moment(), 4), false, 'a shorter hold does not show it');
select is(byssus.has_ready_workflow_task('default', 'q', moment(), 5), true, 'its own worker need not');
select is(byssus.has_ready_workflow_task('default', 'q', moment(-1), 60), false, 'but it has to be due');
select is(byssus.has_ready_workflow_task('default', 'q', moment(5), 0), true, 'after the hold it is anyone''s');

select * from finish();
rollback;
