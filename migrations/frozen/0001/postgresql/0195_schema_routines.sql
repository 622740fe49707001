-- Which routines this database was given, for the proof that they are the ones that were shipped.
create table byssus.schema_routines (
    name text primary key,
    checksum text not null
);

comment on table byssus.schema_routines is
'One row per installed routine: the checksum of the shipped file and of the installed body.';
