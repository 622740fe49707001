begin;
select plan(3);
set local role byssus_owner;

select start();
create temporary table summary as select byssus.open_task_summary(the_task())::jsonb as body;
select is((select body ->> 'status' from summary), 'ready', 'ready');
select is((select body -> 'lease_owner' from summary), 'null', 'nobody holds it');
select is((select body -> 'lease_expires_at' from summary), 'null', 'nothing expires');

select * from finish();
rollback;
