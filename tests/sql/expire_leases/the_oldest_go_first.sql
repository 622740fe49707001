begin;
select plan(2);
set local role byssus_app;

select leased_run('a');
select pass_time(1);
select leased_run('b');
select pass_time(60);
select byssus.expire_leases(1);
select is((the_task(run('a'))).status, 'ready', 'the first');
select is((the_task(run('b'))).status, 'leased', 'not the second, yet');

select * from finish();
rollback;
