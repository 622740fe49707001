begin;
select plan(1);
set local role byssus_owner;

insert into byssus.schema_routines (name, checksum) values ('one', 'a'), ('two', 'b');
create temporary table before as select (byssus.read_schema_state()).body::jsonb ->> 'routines' as routines;
update byssus.schema_routines set checksum = 'c' where name = 'two';
select isnt(
    (byssus.read_schema_state()).body::jsonb ->> 'routines', (select routines from before), 'a checksum over all of them'
);

select * from finish();
rollback;
