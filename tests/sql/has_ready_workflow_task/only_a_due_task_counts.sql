begin;
select plan(5);
set local role byssus_owner;

select start('wf', '{"priority":9}');
select is(byssus.has_ready_workflow_task('default', 'q', moment(), 0), true, 'due, at whatever priority');
select is(byssus.has_ready_workflow_task('default', 'q', moment(-1), 0), false, 'not yet due');
select is(byssus.has_ready_workflow_task('default', 'q2', moment(), 0), false, 'another queue');
select is(byssus.has_ready_workflow_task('elsewhere', 'q', moment(), 0), false, 'another namespace');
select register();
select claim();
select is(byssus.has_ready_workflow_task('default', 'q', moment(), 0), false, 'leased');

select * from finish();
rollback;
