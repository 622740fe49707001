-- A workflow id, the type it was started as, and which of its runs is current.
CREATE TABLE workflows (
    namespace VARCHAR(128) NOT NULL,
    workflow_id VARCHAR(255) NOT NULL,
    workflow_type VARCHAR(255) NOT NULL,
    first_run_id VARCHAR(36) NOT NULL,
    current_run_id VARCHAR(36) NOT NULL,
    run_count INT NOT NULL DEFAULT 1,
    start_request_id VARCHAR(255),
    start_digest VARCHAR(64),
    PRIMARY KEY (namespace, workflow_id),
    CONSTRAINT `workflow names are 1 to 255 bytes` CHECK (
        OCTET_LENGTH(workflow_id) BETWEEN 1 AND 255 AND OCTET_LENGTH(workflow_type) BETWEEN 1 AND 255
        AND OCTET_LENGTH(start_request_id) BETWEEN 1 AND 255
    )
) COMMENT = 'One row per workflow id: unique per namespace, never reused. Goes with its last run.';
