-- One execution of a workflow. Its row is the lock of everything that belongs to the run, and the memory of
-- its history sequence.
CREATE TABLE runs (
    run_id VARCHAR(36) NOT NULL PRIMARY KEY,
    namespace VARCHAR(128) NOT NULL,
    workflow_id VARCHAR(255) NOT NULL,
    run_number INT NOT NULL,
    -- The first run of the workflow: what request ids are remembered under, whichever run is current.
    first_run_id VARCHAR(36) NOT NULL,
    workflow_type VARCHAR(255) NOT NULL,
    task_queue VARCHAR(255) NOT NULL,
    build_id VARCHAR(255),
    priority SMALLINT NOT NULL,
    fairness_key VARCHAR(255),
    fairness_weight INT NOT NULL,
    business_key VARCHAR(255),
    status VARCHAR(16) NOT NULL,
    status_bucket VARCHAR(16) GENERATED ALWAYS AS (
        CASE
            WHEN status IN ('pending', 'waiting') THEN 'running'
            WHEN status = 'completed' THEN 'completed'
            ELSE 'failed'
        END
    ) STORED,
    closed_reason VARCHAR(16),
    last_history_sequence BIGINT NOT NULL DEFAULT 0,
    history_size_bytes BIGINT NOT NULL DEFAULT 0,
    last_authored_position INT NOT NULL DEFAULT 0,
    -- The history that the last answered workflow task had been given.
    applied_through_sequence BIGINT NOT NULL DEFAULT 0,
    -- Signals are held until the first workflow task has been answered.
    has_answered_task BOOLEAN NOT NULL DEFAULT FALSE,
    -- The condition wait that workflow code is blocked on, and whether a receiver came since it opened.
    open_wait_position INT,
    open_wait_fields LONGTEXT,
    open_wait_has_news BOOLEAN NOT NULL DEFAULT FALSE,
    continued_from_run_id VARCHAR(36),
    continued_to_run_id VARCHAR(36),
    execution_timeout_seconds INT,
    run_timeout_seconds INT,
    execution_deadline_at DATETIME(6),
    run_deadline_at DATETIME(6),
    deadline_at DATETIME(6) GENERATED ALWAYS AS (
        LEAST(COALESCE(execution_deadline_at, run_deadline_at), COALESCE(run_deadline_at, execution_deadline_at))
    ) STORED,
    -- The deadline while the run is open: what runs_deadline is about, there being no partial index.
    open_deadline_at DATETIME(6) GENERATED ALWAYS AS (
        CASE
            WHEN closed_at IS NULL THEN
                LEAST(COALESCE(execution_deadline_at, run_deadline_at), COALESCE(run_deadline_at, execution_deadline_at))
        END
    ) STORED,
    started_at DATETIME(6) NOT NULL,
    last_progress_at DATETIME(6) NOT NULL,
    closed_at DATETIME(6),
    CONSTRAINT `run status is valid` CHECK (
        status IN ('pending', 'waiting', 'completed', 'failed', 'cancelled', 'terminated')
    ),
    CONSTRAINT `closed_at and closed_reason exactly when closed` CHECK (
        (status IN ('pending', 'waiting')) = (closed_at IS NULL)
        AND (closed_at IS NULL) = (closed_reason IS NULL)
    ),
    CONSTRAINT `an open wait has its fields` CHECK (
        (open_wait_position IS NULL) = (open_wait_fields IS NULL)
    ),
    CONSTRAINT `priority is 0 to 9` CHECK (priority BETWEEN 0 AND 9),
    CONSTRAINT `run names are 1 to 255 bytes` CHECK (
        OCTET_LENGTH(workflow_type) BETWEEN 1 AND 255 AND OCTET_LENGTH(task_queue) BETWEEN 1 AND 255
        AND OCTET_LENGTH(build_id) BETWEEN 1 AND 255 AND OCTET_LENGTH(fairness_key) BETWEEN 1 AND 255
        AND OCTET_LENGTH(business_key) BETWEEN 1 AND 255
    )
) COMMENT =
'One row per run. Lock it (FOR UPDATE) before anything else of the run. Goes with retention and namespace deletion.';

-- list_runs: the newest of a namespace; of a status; of a type.
CREATE INDEX runs_newest ON runs (namespace, run_id DESC);
CREATE INDEX runs_newest_by_status ON runs (namespace, status_bucket, run_id DESC);
CREATE INDEX runs_newest_by_type ON runs (namespace, workflow_type, status_bucket, run_id DESC);

-- A run is found by its workflow and number, and no number is given twice.
CREATE UNIQUE INDEX runs_of_workflow ON runs (namespace, workflow_id, run_number);

-- enforce_timeouts: open runs whose deadline has passed.
CREATE INDEX runs_deadline ON runs (open_deadline_at);

-- The documents of a run, apart from its row, so that locking and updating that stays cheap.
CREATE TABLE run_payloads (
    run_id VARCHAR(36) NOT NULL PRIMARY KEY,
    input LONGTEXT,
    output LONGTEXT,
    memo LONGTEXT,
    search_attributes LONGTEXT
) COMMENT = 'Input, output, memo and search attributes of a run, byte for byte. One row per run.';
