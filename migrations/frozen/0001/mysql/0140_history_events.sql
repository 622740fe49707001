-- What happened to a run. Written by append_history alone, never changed, in the form that goes over the wire.
CREATE TABLE history_events (
    run_id VARCHAR(36) NOT NULL,
    sequence BIGINT NOT NULL,
    event_type VARCHAR(64) NOT NULL,
    recorded_at DATETIME(6) NOT NULL,
    wire LONGTEXT NOT NULL,
    PRIMARY KEY (run_id, sequence),
    CONSTRAINT `sequence starts at 1` CHECK (sequence >= 1)
) COMMENT = 'The history of every run, numbered 1..n without a gap. Guarded by triggers; rows go only after their run.';
