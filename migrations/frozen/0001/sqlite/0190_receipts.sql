-- What was answered to a request that may be repeated: never a history page. prune_receipts removes those older than
-- the receipt retention.
create table receipts (
    run_id text not null,
    -- k<task>.<attempt> or a<position>.<attempt>; signal:, cancel: or terminate: and a request id, then under the
    -- first run of the workflow
    subject text not null,
    caller text not null,
    digest text not null,
    outcome text not null,
    body text not null,
    recorded_at text not null,
    primary key (run_id, subject)
) strict, without rowid;

-- prune_receipts: oldest first.
create index receipts_recorded on receipts (recorded_at);
