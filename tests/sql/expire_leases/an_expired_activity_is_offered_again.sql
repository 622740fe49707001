begin;
select plan(5);
set local role byssus_app;

select running_activity();
select pass_time(60);
create temporary table answered as select * from byssus.expire_leases(50);
select is((select body from answered), '{"count":1,"more":false}', 'its lease ends');
select is((the_activity()).status, 'pending', 'it is pending');
select is((the_activity()).attempt_number, 1, 'the attempt stays counted');
select is((select hints from answered), '[["activity","default","q"]]', 'pollers are told');
select is((events())[3:], '{}', 'history says nothing of it');

select * from finish();
rollback;
