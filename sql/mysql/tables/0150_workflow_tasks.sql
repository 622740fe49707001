-- The open workflow task of a run: the primary key is the run, so there is never a second one.
CREATE TABLE workflow_tasks (
    run_id VARCHAR(36) NOT NULL PRIMARY KEY,
    -- The run's last history sequence when the task was made; the task id is <run_id>:k<task_number>.
    task_number BIGINT NOT NULL,
    namespace VARCHAR(128) NOT NULL,
    task_queue VARCHAR(255) NOT NULL,
    workflow_type VARCHAR(255) NOT NULL,
    build_id VARCHAR(255),
    priority SMALLINT NOT NULL,
    status VARCHAR(16) NOT NULL,
    available_at DATETIME(6) NOT NULL,
    attempt INT NOT NULL DEFAULT 0,
    failure_count INT NOT NULL DEFAULT 0,
    last_failure LONGTEXT,
    lease_owner VARCHAR(255),
    lease_expires_at DATETIME(6),
    registration_token CHAR(32),
    poll_request_id VARCHAR(255),
    -- Whose cache the task would find warm: the run's affinity when the task became ready.
    sticky_worker_id VARCHAR(255),
    sticky_registration_token CHAR(32),
    sticky_until DATETIME(6),
    -- From then on any worker may claim it; until then only the one whose affinity it has.
    held_until DATETIME(6) NOT NULL,
    -- What the claim was told: its replay mode, and the sequence that its history begins behind.
    sticky_replay_mode VARCHAR(24),
    sticky_claimed_at DATETIME(6),
    after_sequence BIGINT,
    -- History pages of the lease end here: an event appended later is never delivered to it.
    claimed_sequence BIGINT,
    -- The last history sequence that was delivered to the lease, inline or by a page.
    delivered_sequence BIGINT,
    CONSTRAINT `workflow task status is valid` CHECK (status IN ('ready', 'leased')),
    CONSTRAINT `a lease is whole or absent` CHECK (
        (status = 'leased')
        = (
            lease_owner IS NOT NULL AND lease_expires_at IS NOT NULL
            AND registration_token IS NOT NULL AND claimed_sequence IS NOT NULL
            AND sticky_replay_mode IS NOT NULL AND sticky_claimed_at IS NOT NULL
            AND after_sequence IS NOT NULL AND delivered_sequence IS NOT NULL
        )
    ),
    CONSTRAINT `sticky_replay_mode is valid` CHECK (
        sticky_replay_mode IN ('sticky_hit_expected', 'forced_cold_replay', 'cold_replay')
    ),
    CONSTRAINT `an affinity is whole or absent` CHECK (
        (sticky_worker_id IS NULL) = (sticky_until IS NULL)
        AND (sticky_worker_id IS NULL) = (sticky_registration_token IS NULL)
    )
) COMMENT =
'At most one open (ready or leased) workflow task per run. A row goes when its task is answered or its run closes.';

-- claim_workflow_task: the first task of a queue that any worker may claim, by priority, then by age.
CREATE INDEX workflow_tasks_ready ON workflow_tasks
(namespace, task_queue, status, priority, held_until, run_id);

-- claim_workflow_task: the first due task whose affinity names the worker; deregister_worker: those it was held for;
-- read_sticky_metrics: tasks with an affinity.
CREATE INDEX workflow_tasks_sticky ON workflow_tasks
(sticky_registration_token, status, priority, available_at, run_id, sticky_until);

-- expire_leases: leases that have run out.
CREATE INDEX workflow_tasks_lease ON workflow_tasks (lease_expires_at);

-- claim_workflow_task repeated: what this poll was given; register_worker: what a worker holds.
CREATE INDEX workflow_tasks_poll ON workflow_tasks (namespace, lease_owner, poll_request_id);
