begin;
select plan(2);
set local role byssus_app;

select register();
select register();
select register('w2');
select byssus.deregister_worker('default', 'w2', null, 600);
select pass_time(601);
select is((byssus.prune_receipts(50, 600)).body, '{"count":2,"more":false}', 'superseded and deregistered ones');
select is(rows_of('worker_incarnations'), 1::bigint, 'the one in service stays');

select * from finish();
rollback;
