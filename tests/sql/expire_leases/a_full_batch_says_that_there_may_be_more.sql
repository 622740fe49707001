begin;
select plan(2);
set local role byssus_app;

select leased_run('a');
select leased_run('b');
select leased_run('c');
select pass_time(60);
select is((byssus.expire_leases(2)).body, '{"count":2,"more":true}', 'two at a time');
select is((byssus.expire_leases(2)).body, '{"count":1,"more":false}', 'then the rest');

select * from finish();
rollback;
