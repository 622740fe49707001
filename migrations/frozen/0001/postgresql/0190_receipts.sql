-- What was answered to a request that may be repeated.
create table byssus.receipts (
    run_id text collate "C" not null,
    -- k<task>.<attempt> or a<position>.<attempt>; signal:, cancel: or terminate: and a request id, then under the
    -- first run of the workflow
    subject text collate "C" not null,
    caller text collate "C" not null,
    digest text not null,
    outcome text not null,
    body text not null,
    recorded_at timestamptz not null,
    primary key (run_id, subject)
);

comment on table byssus.receipts is
'Recorded answers: never a history page. prune_receipts removes those older than the receipt retention.';

-- prune_receipts: oldest first.
create index receipts_recorded on byssus.receipts (recorded_at);
