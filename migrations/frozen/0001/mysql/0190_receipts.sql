-- What was answered to a request that may be repeated.
CREATE TABLE receipts (
    run_id VARCHAR(36) NOT NULL,
    -- k<task>.<attempt> or a<position>.<attempt>; signal:, cancel: or terminate: and a request id, then under the
    -- first run of the workflow
    subject VARCHAR(300) NOT NULL,
    caller VARCHAR(255) NOT NULL,
    digest VARCHAR(64) NOT NULL,
    outcome VARCHAR(64) NOT NULL,
    body LONGTEXT NOT NULL,
    recorded_at DATETIME(6) NOT NULL,
    PRIMARY KEY (run_id, subject)
) COMMENT =
'Recorded answers: never a history page. prune_receipts removes those older than the receipt retention.';

-- prune_receipts: oldest first.
CREATE INDEX receipts_recorded ON receipts (recorded_at);
