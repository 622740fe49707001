-- Pending timers. A timer that has fired or was cancelled is history, not a row.
CREATE TABLE timers (
    run_id VARCHAR(36) NOT NULL,
    position INT NOT NULL,
    kind VARCHAR(24) NOT NULL,
    fire_at DATETIME(6) NOT NULL,
    -- What its events have in common, as members to be spliced in.
    event_members LONGTEXT NOT NULL,
    group_base INT,
    group_size INT,
    PRIMARY KEY (run_id, position),
    CONSTRAINT `timer kind is valid` CHECK (kind IN ('timer', 'condition_timeout'))
) COMMENT = 'Timers that have not fired. A row goes when its timer fires, is cancelled, or its run closes.';

-- fire_due_timers: due timers, oldest first.
CREATE INDEX timers_due ON timers (fire_at, run_id, position);
