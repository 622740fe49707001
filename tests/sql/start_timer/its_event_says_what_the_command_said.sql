begin;
select plan(3);
set local role byssus_owner;

select leased_run();
update byssus.runs set last_authored_position = 3;
create temporary table made as
select payloads[1]::jsonb as payload from byssus.start_timer(the_run(), leaf(timer(90), 3, 0, 2)::json, moment());
select is((select payload ->> 'delay_seconds' from made), '90', 'its fields');
select is((select payload ->> 'parallel_group_base_sequence' from made), '3', 'its group');
select is((the_timer(run(), 3)).group_base, 3, 'which the row knows too');

select * from finish();
rollback;
