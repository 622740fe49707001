begin;
select plan(2);
set local role byssus_app;

select is(
    (byssus.register_worker('elsewhere', 'w1', 'q', registration())).outcome, 'namespace_not_found', 'it does not exist'
);
select is(rows_of('worker_registrations'), 0::bigint, 'nothing is kept');

select * from finish();
rollback;
