-- Which worker holds a run's history in its cache, and through which sequence. Apart from the run's row, since it is
-- written by every completion of a sticky worker and counted by operators.
CREATE TABLE affinities (
    run_id VARCHAR(36) NOT NULL PRIMARY KEY,
    namespace VARCHAR(128) NOT NULL,
    sticky_worker_id VARCHAR(255) NOT NULL,
    -- Whoever registers under the same worker id later has an empty cache.
    registration_token CHAR(32) NOT NULL,
    build_id VARCHAR(255) NOT NULL,
    sticky_until DATETIME(6) NOT NULL,
    -- For how long a ready task of the run waits for its worker before any other may claim it.
    hold_seconds INT NOT NULL,
    -- Through which history sequence the worker says that it holds the run; null when it did not say.
    reported_sequence BIGINT,
    -- The size of the history through the claim that was answered then.
    history_size_bytes BIGINT NOT NULL,
    -- Through which history sequence the server had delivered the run to it.
    delivered_sequence BIGINT NOT NULL,
    CONSTRAINT `a reported sequence is at least 1` CHECK (reported_sequence >= 1)
) COMMENT = 'At most one row per open run. A row goes when its run closes or a completion retains nothing.';

-- read_sticky_metrics: affinities that have not expired, those of all namespaces in one range.
CREATE INDEX affinities_unexpired ON affinities (sticky_until);
