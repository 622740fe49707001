begin;
select plan(2);
set local role byssus_app;

select is((byssus.heartbeat_worker('default', 'w9', '{}', '{}', 60)).outcome, 'worker_not_registered', 'an unknown worker');
select is((byssus.heartbeat_worker('elsewhere', 'w1', '{}', '{}', 60)).outcome, 'namespace_not_found', 'another namespace');

select * from finish();
rollback;
