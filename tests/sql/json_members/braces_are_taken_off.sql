begin;
select plan(3);
set local role byssus_owner;

select is(byssus.json_members('{"a": 1,"b":{}}'), ',"a": 1,"b":{}', 'the members, byte for byte');
select is(byssus.json_members('{}'), '', 'none of an empty object');
select is(byssus.json_members(null), '', 'none of nothing');

select * from finish();
rollback;
