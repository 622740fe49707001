begin;
select plan(5);
set local role byssus_owner;

select register();
select start('a');
select pass_time(1);
select start('b');
create temporary table answered as
select * from byssus.lease_workflow_task(poll() -> 0, the_registration(), moment());
select is((select outcome from answered), 'leased', 'leased');
select is((the_task(run('a'))).status, 'leased', 'the older one');
select is((the_task(run('a'))).attempt, 1, 'as its first attempt');
select is((the_task(run('a'))).poll_request_id::text, 'p1', 'for this poll');
select is((the_task(run('b'))).status, 'ready', 'the other waits');

select * from finish();
rollback;
