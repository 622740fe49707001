-- The walls between tenants: no id of one namespace reaches a row of another.
--
-- All tables are strict and lie in the order of their primary key. Moments are texts in wire form
-- (YYYY-MM-DDTHH:MM:SS.ffffffZ), which sort by time; truth values are 0 and 1; lists and documents are JSON texts.
create table namespaces (
    name text not null primary key,
    description text,
    created_at text not null,
    constraint "name is at most 128 bytes" check (length(cast(name as blob)) between 1 and 128)
) strict, without rowid;

insert into namespaces (name, description, created_at)
values ('default', 'The namespace of requests that name none.', strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'));
