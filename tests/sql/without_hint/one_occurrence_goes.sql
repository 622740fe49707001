begin;
select plan(3);
set local role byssus_owner;

select is(
    byssus.without_hint('[["run","r"],["activity","n","q"],["due","t"]]', '["activity","n","q"]'),
    '[["run","r"],["due","t"]]', 'in the middle'
);
select is(
    byssus.without_hint('[["run","r"],["activity","n","q"]]', '["activity","n","q"]'), '[["run","r"]]', 'at the end'
);
select is(
    byssus.without_hint('[["run","r"],["activity","n","q"],["activity","n","q"]]', '["activity","n","q"]'),
    '[["run","r"],["activity","n","q"]]', 'another activity calls on'
);

select * from finish();
rollback;
