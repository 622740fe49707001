begin;
select plan(5);
set local role byssus_owner;

select waiting_run('wf', schedule());
select is(byssus.has_ready_activity('default', 'q', moment()), true, 'due');
select is(byssus.has_ready_activity('default', 'q', moment(-1)), false, 'not yet due');
select is(byssus.has_ready_activity('default', 'q2', moment()), false, 'another queue');
select is(byssus.has_ready_activity('elsewhere', 'q', moment()), false, 'another namespace');
select claim_activity();
select is(byssus.has_ready_activity('default', 'q', moment()), false, 'running');

select * from finish();
rollback;
