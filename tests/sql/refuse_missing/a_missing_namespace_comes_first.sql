begin;
select plan(2);
set local role byssus_owner;

select is((byssus.refuse_missing('default', 'thing_not_found', ',"a":1')).body, '{"reason":"thing_not_found","a":1}', 'a thing');
select is((byssus.refuse_missing('elsewhere', 'thing_not_found')).outcome, 'namespace_not_found', 'a namespace');

select * from finish();
rollback;
