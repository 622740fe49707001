begin;
select plan(3);
set local role byssus_owner;

create temporary table told as
select * from byssus.with_part(completed('[["run","r"]]'), 'workflow_poll', '{"task":null}');
select is((select outcome from told), 'completed', 'the outcome stays');
select is((select body from told), '{"outcome":"completed","workflow_poll":{"task":null}}', 'the member is added');
select is((select hints from told), '[["run","r"]]', 'the hints stay');

select * from finish();
rollback;
