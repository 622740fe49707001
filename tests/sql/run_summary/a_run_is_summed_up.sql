begin;
select plan(4);
set local role byssus_owner;

select start('wf', '{"business_key":"k\"1"}');
create temporary table summary as select ('{' || byssus.run_summary(the_run()) || '}')::jsonb as body;
select is((select body ->> 'run_id' from summary), run(), 'its id');
select is((select body ->> 'business_key' from summary), 'k"1', 'its business key, escaped');
select is((select body ->> 'status_bucket' from summary), 'running', 'its status, coarse');
select is((select body -> 'closed_at' from summary), 'null', 'it is open');

select * from finish();
rollback;
