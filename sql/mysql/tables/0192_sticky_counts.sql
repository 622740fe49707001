-- How claims were routed, for operators: one row per namespace, second and database connection, so that claims which
-- are counted never wait for each other.
CREATE TABLE sticky_counts (
    namespace VARCHAR(128) NOT NULL,
    counted_at DATETIME(6) NOT NULL,
    connection_number BIGINT UNSIGNED NOT NULL,
    hit_expected BIGINT NOT NULL,
    forced_cold_replay BIGINT NOT NULL,
    cold_replay BIGINT NOT NULL,
    suffix_tasks BIGINT NOT NULL,
    suffix_events_saved BIGINT NOT NULL,
    suffix_bytes_saved BIGINT NOT NULL,
    PRIMARY KEY (counted_at, namespace, connection_number)
) COMMENT =
'Counted claims of the last minutes. prune_receipts removes rows that no metric looks at any more.';
