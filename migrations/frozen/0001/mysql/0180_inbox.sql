-- Events from outside that must not enter history yet, in order of arrival.
CREATE TABLE inbox (
    run_id VARCHAR(36) NOT NULL,
    arrival BIGINT NOT NULL,
    kind VARCHAR(24) NOT NULL,
    event_type VARCHAR(64) NOT NULL,
    payload LONGTEXT NOT NULL,
    wakes BOOLEAN NOT NULL,
    -- The wait that a condition timeout resolves, if it is still open then.
    wait_position INT,
    PRIMARY KEY (run_id, arrival),
    CONSTRAINT `inbox kind is valid` CHECK (kind IN ('signal', 'result', 'condition_timeout')),
    CONSTRAINT `a condition timeout names its wait` CHECK (
        (kind = 'condition_timeout') = (wait_position IS NOT NULL)
    )
) COMMENT =
'Events held while a workflow task is leased. Emptied when the lease ends; bounded by held signals and open work.';
