begin;
select plan(1);
set local role byssus_owner;

select register();
select is((byssus.lease_activity(poll() -> 0, the_registration(), moment())).outcome, null, 'null');

select * from finish();
rollback;
