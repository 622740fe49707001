begin;
select plan(1);
set local role byssus_owner;

select register();
select is((byssus.lease_workflow_task(poll() -> 0, the_registration(), moment())).outcome, null, 'null');

select * from finish();
rollback;
