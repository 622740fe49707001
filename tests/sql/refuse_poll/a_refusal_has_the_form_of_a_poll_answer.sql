begin;
select plan(3);
set local role byssus_owner;

create temporary table refused as select body::jsonb as body from byssus.refuse_poll(poll() -> 0, the_registration('nobody'));
select is((select body ->> 'reason' from refused), 'worker_not_registered', 'the reason');
select is((select body -> 'task' from refused), 'null', 'no task');
select is((select body ->> 'poll_status' from refused), 'rejected', 'rejected');

select * from finish();
rollback;
