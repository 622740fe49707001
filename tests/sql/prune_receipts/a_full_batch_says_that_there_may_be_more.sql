begin;
select plan(2);
set local role byssus_app;

select waiting_run('a', timer());
select waiting_run('b', timer());
select pass_time(2);
select is((byssus.prune_receipts(1, 1)).body, '{"count":1,"more":true}', 'one at a time');
select is((byssus.prune_receipts(2, 1)).body, '{"count":1,"more":false}', 'then the rest');

select * from finish();
rollback;
