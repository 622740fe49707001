begin;
select plan(3);
set local role byssus_app;

select leased_run('a');
select complete(run('a'), timer());
select pass_time(60);
select leased_run('b');
select complete(run('b'), timer());
select is((byssus.prune_receipts(50, 61)).body, '{"count":0,"more":false}', 'none is old enough');
select is((byssus.prune_receipts(50, 30)).body, '{"count":1,"more":false}', 'one is');
select is(rows_of('receipts'), 1::bigint, 'the other stays');

select * from finish();
rollback;
