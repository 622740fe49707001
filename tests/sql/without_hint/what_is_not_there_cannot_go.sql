begin;
select plan(3);
set local role byssus_owner;

select is(
    byssus.without_hint('[["run","r"],["activity","n","q2"]]', '["activity","n","q"]'),
    '[["run","r"],["activity","n","q2"]]', 'another queue'
);
select is(
    byssus.without_hint('[["run","r"],["activity","n","q","2030-01-01"]]', '["activity","n","q"]'),
    '[["run","r"],["activity","n","q","2030-01-01"]]', 'or a later time'
);
select is(byssus.without_hint('[]', '["activity","n","q"]'), '[]', 'no hints at all');

select * from finish();
rollback;
