begin;
select plan(1);
set local role byssus_owner;

delete from byssus.schema_routines;
insert into byssus.schema_routines (name, checksum) values ('two', 'b'), ('one', 'a'), ('Zero', 'c');
select is(
    (byssus.read_schema_state()).body::jsonb ->> 'routines',
    '4c5755e5f8a818cdbc18db00526c53b77fe98801308d8c32aa9ed3f38f900b2a',
    'SHA-256 over all of them, by the bytes of their names'
);

select * from finish();
rollback;
