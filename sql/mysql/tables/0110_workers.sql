-- Who a worker is (changes at registration), and whether it lives (changes at every heartbeat), apart,
-- so that a claim can share-lock the first without ever waiting for the second.
CREATE TABLE worker_registrations (
    namespace VARCHAR(128) NOT NULL,
    worker_id VARCHAR(255) NOT NULL,
    registration_token CHAR(32) NOT NULL,
    task_queue VARCHAR(255) NOT NULL,
    runtime VARCHAR(64) NOT NULL,
    sdk_version VARCHAR(64),
    build_id VARCHAR(255),
    protocol_version VARCHAR(32) NOT NULL,
    -- JSON arrays and objects, byte for byte.
    workflow_types LONGTEXT NOT NULL,
    activity_types LONGTEXT NOT NULL,
    workflow_definition_fingerprints LONGTEXT NOT NULL,
    workflow_command_contracts LONGTEXT NOT NULL,
    capabilities LONGTEXT NOT NULL,
    capability_manifest LONGTEXT NOT NULL,
    -- The capabilities that transitions look at.
    sticky_execution BOOLEAN NOT NULL,
    sticky_history_suffix BOOLEAN NOT NULL,
    merged_transitions BOOLEAN NOT NULL,
    max_concurrent_workflow_tasks INT NOT NULL,
    max_concurrent_activity_tasks INT NOT NULL,
    max_concurrent_worker_sessions INT NOT NULL,
    registered_at DATETIME(6) NOT NULL,
    PRIMARY KEY (namespace, worker_id),
    CONSTRAINT `registration names are 1 to 255 bytes` CHECK (
        OCTET_LENGTH(worker_id) BETWEEN 1 AND 255 AND OCTET_LENGTH(task_queue) BETWEEN 1 AND 255
        AND OCTET_LENGTH(build_id) BETWEEN 1 AND 255
    ),
    CONSTRAINT `token is 32 hex digits` CHECK (registration_token REGEXP '^[0-9a-f]{32}$')
) COMMENT =
'The current registration of each worker. Bounded by the number of worker ids; a row goes when its worker deregisters.';

CREATE TABLE worker_liveness (
    namespace VARCHAR(128) NOT NULL,
    worker_id VARCHAR(255) NOT NULL,
    last_heartbeat_at DATETIME(6) NOT NULL,
    -- Without a further heartbeat the worker counts as stale from then on.
    stale_at DATETIME(6) NOT NULL,
    -- Until when a poll for workflow tasks, made or waiting, vouches that the worker takes tasks.
    polling_until DATETIME(6),
    task_slots LONGTEXT NOT NULL,
    process_metrics LONGTEXT NOT NULL,
    -- Totals that the worker reports of its history cache.
    sticky_hits BIGINT NOT NULL DEFAULT 0,
    sticky_misses BIGINT NOT NULL DEFAULT 0,
    sticky_evictions BIGINT NOT NULL DEFAULT 0,
    sticky_forced_cold_replays BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (namespace, worker_id)
) COMMENT = 'The last signs of life of each registered worker. One row per registration, updated in place.';

CREATE TABLE worker_incarnations (
    registration_token CHAR(32) NOT NULL PRIMARY KEY,
    namespace VARCHAR(128) NOT NULL,
    worker_id VARCHAR(255) NOT NULL,
    status VARCHAR(16) NOT NULL,
    recovered_workflow_task_count INT NOT NULL DEFAULT 0,
    finished_at DATETIME(6),
    CONSTRAINT `incarnation status is valid` CHECK (status IN ('active', 'superseded', 'deregistered')),
    CONSTRAINT `finished when not active` CHECK ((status = 'active') = (finished_at IS NULL))
) COMMENT =
'What became of each registration token, for repeated deregistrations. prune_receipts removes ended ones.';

-- prune_receipts: ended incarnations, oldest first.
CREATE INDEX worker_incarnations_finished ON worker_incarnations (finished_at);
