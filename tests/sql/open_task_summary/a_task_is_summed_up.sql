begin;
select plan(5);
set local role byssus_owner;

select leased_run();
create temporary table summary as select byssus.open_task_summary(the_task())::jsonb as body;
select is((select body ->> 'task_id' from summary), task(), 'its id');
select is((select body ->> 'lease_owner' from summary), 'w1', 'its holder');
select is((select body ->> 'lease_expires_at' from summary), '2030-01-01T00:01:00.000000Z', 'until when');
select is((select body -> 'last_failure' from summary), 'null', 'no failure yet');
select is(byssus.open_task_summary(null), null, 'no task, no summary');

select * from finish();
rollback;
