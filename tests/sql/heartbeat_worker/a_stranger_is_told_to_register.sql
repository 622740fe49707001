begin;
select plan(2);
set local role byssus_app;

select is((byssus.heartbeat_worker('default', 'w9', '{}', '{}')).outcome, 'worker_not_registered', 'an unknown worker');
select is((byssus.heartbeat_worker('elsewhere', 'w1', '{}', '{}')).outcome, 'namespace_not_found', 'another namespace');

select * from finish();
rollback;
