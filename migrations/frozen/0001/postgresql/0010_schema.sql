-- The schema, and the types that tables and routines share.
create schema if not exists byssus;

comment on schema byssus is
'Byssus: durable workflows. Every state transition is one routine in this schema; tables are written by routines alone.';

-- A name given by a user or made by the server. Compared by bytes: case and trailing spaces count.
create domain byssus.identifier as text collate "C"
check (octet_length(value) between 1 and 255);

comment on domain byssus.identifier is 'A name of 1 to 255 bytes, compared byte by byte.';

-- What every callable routine returns.
create type byssus.answer as (
    outcome text,
    body text,
    hints text
);

comment on type byssus.answer is
'outcome: a success code or a refusal reason; body: a JSON object; hints: a JSON array of wake-up hints, or null.';
