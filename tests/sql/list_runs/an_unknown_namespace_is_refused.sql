begin;
select plan(1);
set local role byssus_app;

select is((byssus.list_runs('elsewhere', null, null, 10, null)).outcome, 'namespace_not_found', 'it does not exist');

select * from finish();
rollback;
