-- How claims were routed, for operators: one row per namespace, second and database connection, so that claims which
-- are counted never wait for each other.
create table byssus.sticky_counts (
    namespace byssus.identifier not null,
    counted_at timestamptz not null,
    connection_number integer not null,
    hit_expected bigint not null,
    forced_cold_replay bigint not null,
    cold_replay bigint not null,
    suffix_tasks bigint not null,
    suffix_events_saved bigint not null,
    suffix_bytes_saved bigint not null,
    primary key (counted_at, namespace, connection_number)
) with (fillfactor = 70);

comment on table byssus.sticky_counts is
'Counted claims of the last minutes. prune_receipts removes rows that no metric looks at any more.';
