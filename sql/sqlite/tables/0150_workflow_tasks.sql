-- The open workflow task of a run: the primary key is the run, so there is never a second one. A row goes when its
-- task is answered or its run closes.
create table workflow_tasks (
    run_id text not null primary key,
    -- The run's last history sequence when the task was made; the task id is <run_id>:k<task_number>.
    task_number integer not null,
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    task_queue text not null check (length(cast(task_queue as blob)) between 1 and 255),
    workflow_type text not null check (length(cast(workflow_type as blob)) between 1 and 255),
    build_id text check (length(cast(build_id as blob)) between 1 and 255),
    priority integer not null,
    status text not null,
    available_at text not null,
    attempt integer not null default 0,
    failure_count integer not null default 0,
    last_failure text,
    lease_owner text check (length(cast(lease_owner as blob)) between 1 and 255),
    lease_expires_at text,
    registration_token text,
    poll_request_id text check (length(cast(poll_request_id as blob)) between 1 and 255),
    -- History pages of the lease end here: an event appended later is never delivered to it.
    claimed_sequence integer,
    constraint "status is valid" check (status in ('ready', 'leased')),
    constraint "a lease is whole or absent" check (
        (status = 'leased')
        = (
            lease_owner is not null and lease_expires_at is not null
            and registration_token is not null and claimed_sequence is not null
        )
    )
) strict, without rowid;

-- claim_workflow_task: the first due task of a queue, by priority, then by age.
create index workflow_tasks_ready on workflow_tasks
(namespace, task_queue, priority, available_at, run_id)
where status = 'ready';

-- expire_leases: leases that have run out.
create index workflow_tasks_lease on workflow_tasks (lease_expires_at, run_id)
where status = 'leased';

-- claim_workflow_task repeated: what this poll was given; register_worker: what a worker holds.
create index workflow_tasks_poll on workflow_tasks (namespace, lease_owner, poll_request_id)
where status = 'leased';
