-- How claims were routed, for operators: one row per namespace and second. The connection number is what other engines
-- tell concurrent claims apart by; there is one writer here, and it is 0. Counted claims of the last minutes:
-- prune_receipts removes rows that no metric looks at any more.
create table sticky_counts (
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    counted_at text not null,
    connection_number integer not null,
    hit_expected integer not null,
    forced_cold_replay integer not null,
    cold_replay integer not null,
    suffix_tasks integer not null,
    suffix_events_saved integer not null,
    suffix_bytes_saved integer not null,
    primary key (counted_at, namespace, connection_number)
) strict, without rowid;
