begin;
select plan(2);
set local role byssus_app;

create temporary table old as select register() as token;
select start();
select claim();
create temporary table first as select * from byssus.deregister_worker('default', 'w1', (select token from old), 600);
select pass_time(599);
select is(
    (byssus.deregister_worker('default', 'w1', (select token from old), 600)).body, (select body from first),
    'the same answer'
);
select pass_time(1);
select is(
    (byssus.deregister_worker('default', 'w1', (select token from old), 600)).outcome,
    'worker_registration_receipt_expired', 'until the receipt has expired'
);

select * from finish();
rollback;
