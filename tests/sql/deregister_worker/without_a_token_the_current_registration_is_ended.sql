begin;
select plan(2);
set local role byssus_app;

select register();
select is((byssus.deregister_worker('default', 'w1', null, 600)).outcome, 'deregistered', 'whichever it is');
select is((byssus.deregister_worker('default', 'w1', null, 600)).outcome, 'worker_not_found', 'once');

select * from finish();
rollback;
