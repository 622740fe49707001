-- The walls between tenants: no id of one namespace reaches a row of another.
create table byssus.namespaces (
    name byssus.identifier primary key,
    description text,
    created_at timestamptz not null,
    constraint "name is at most 128 bytes" check (octet_length(name) <= 128)
);

comment on table byssus.namespaces is 'One row per namespace. Bounded by what administrators create.';

insert into byssus.namespaces (name, description, created_at)
values ('default', 'The namespace of requests that name none.', clock_timestamp());
