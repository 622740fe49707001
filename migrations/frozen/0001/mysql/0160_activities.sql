-- The activities of a run, and while they are pending or running also their dispatch.
CREATE TABLE activities (
    run_id VARCHAR(36) NOT NULL,
    position INT NOT NULL,
    namespace VARCHAR(128) NOT NULL,
    activity_type VARCHAR(255) NOT NULL,
    task_queue VARCHAR(255) NOT NULL,
    build_id VARCHAR(255),
    priority SMALLINT NOT NULL,
    status VARCHAR(16) NOT NULL,
    available_at DATETIME(6) NOT NULL,
    attempt_number INT NOT NULL DEFAULT 0,
    lease_owner VARCHAR(255),
    lease_expires_at DATETIME(6),
    registration_token CHAR(32),
    poll_request_id VARCHAR(255),
    started_at DATETIME(6),
    last_heartbeat_at DATETIME(6),
    heartbeat_details LONGTEXT,
    arguments LONGTEXT,
    retry_policy LONGTEXT,
    max_attempts INT,
    backoff_seconds LONGTEXT NOT NULL,
    non_retryable_error_types LONGTEXT NOT NULL,
    schedule_to_start_timeout INT,
    start_to_close_timeout INT,
    heartbeat_timeout INT,
    schedule_to_close_deadline_at DATETIME(6),
    -- No timeout of the activity can strike before this; heartbeats leave it, enforce_timeouts moves it on.
    timeout_at DATETIME(6),
    -- The command's parallel group, as members to be spliced into each event of the activity.
    group_members LONGTEXT NOT NULL,
    group_base INT,
    group_size INT,
    closed_at DATETIME(6),
    PRIMARY KEY (run_id, position),
    CONSTRAINT `activity status is valid` CHECK (
        status IN ('pending', 'running', 'completed', 'failed', 'timed_out', 'cancelled')
    ),
    CONSTRAINT `a running attempt has a lease` CHECK (
        (status = 'running')
        = (lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL AND started_at IS NOT NULL)
    ),
    CONSTRAINT `closed_at exactly when closed` CHECK (
        (status IN ('pending', 'running')) = (closed_at IS NULL)
    ),
    CONSTRAINT `activity names are 1 to 255 bytes` CHECK (
        OCTET_LENGTH(activity_type) BETWEEN 1 AND 255 AND OCTET_LENGTH(task_queue) BETWEEN 1 AND 255
    )
) COMMENT =
'One row per activity, at the authored position of its command; its attempts follow each other in place. Goes with its run.';

-- claim_activity_task: the first due activity of a queue, by priority, then by age.
CREATE INDEX activities_ready ON activities
(namespace, task_queue, status, priority, available_at, run_id, position);

-- expire_leases: leases that have run out.
CREATE INDEX activities_lease ON activities (lease_expires_at);

-- claim_activity_task repeated: what this poll was given; register_worker: what a worker holds.
CREATE INDEX activities_poll ON activities (namespace, lease_owner, poll_request_id);

-- enforce_timeouts: activities that a timeout may have struck.
CREATE INDEX activities_timeout ON activities (timeout_at);
