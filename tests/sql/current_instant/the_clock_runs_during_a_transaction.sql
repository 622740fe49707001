begin;
select plan(2);
set local role byssus_owner;

create temporary table read as select shipped_current_instant() as first;
select cmp_ok(shipped_current_instant(), '>', (select first from read), 'it is the moment of the call');
select cmp_ok((select first from read), '>=', now(), 'not that of the transaction');

select * from finish();
rollback;
