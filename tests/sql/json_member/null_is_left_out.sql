begin;
select plan(3);
set local role byssus_owner;

select is(byssus.json_member('a', '1'), ',"a":1', 'a member');
select is(byssus.json_member('a', 'null'), ',"a":null', 'a JSON null is a value');
select is(byssus.json_member('a', null), '', 'no value is no member');

select * from finish();
rollback;
