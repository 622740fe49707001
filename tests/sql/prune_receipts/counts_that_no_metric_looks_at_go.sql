begin;
select plan(3);
set local role byssus_app;

select register();
select start();
select claim();
select pass_time(120);
select byssus.prune_receipts(50, 600);
select is(rows_of('sticky_counts'), 1::bigint, 'two minutes are kept');
select pass_time(1);
select is((byssus.prune_receipts(50, 600)).body, '{"count":0,"more":false}', 'more goes, and is not counted');
select is(rows_of('sticky_counts'), 0::bigint, 'it is gone');

select * from finish();
rollback;
