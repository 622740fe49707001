-- The open workflow task of a run: the primary key is the run, so there is never a second one.
create table byssus.workflow_tasks (
    run_id text collate "C" primary key,
    -- The run's last history sequence when the task was made; the task id is <run_id>:k<task_number>.
    task_number bigint not null,
    namespace byssus.identifier not null,
    task_queue byssus.identifier not null,
    workflow_type byssus.identifier not null,
    build_id byssus.identifier,
    priority smallint not null,
    status text not null,
    available_at timestamptz not null,
    attempt integer not null default 0,
    failure_count integer not null default 0,
    last_failure json,
    lease_owner byssus.identifier,
    lease_expires_at timestamptz,
    registration_token text,
    poll_request_id byssus.identifier,
    -- History pages of the lease end here: an event appended later is never delivered to it.
    claimed_sequence bigint,
    constraint "status is valid" check (status in ('ready', 'leased')),
    constraint "a lease is whole or absent" check (
        (status = 'leased')
        = (
            lease_owner is not null and lease_expires_at is not null
            and registration_token is not null and claimed_sequence is not null
        )
    )
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_limit = 2000);

comment on table byssus.workflow_tasks is
'At most one open (ready or leased) workflow task per run. A row goes when its task is answered or its run closes.';

-- claim_workflow_task: the first due task of a queue, by priority, then by age.
create index workflow_tasks_ready on byssus.workflow_tasks
(namespace, task_queue, priority, available_at, run_id)
where status = 'ready';

-- expire_leases: leases that have run out.
create index workflow_tasks_lease on byssus.workflow_tasks (lease_expires_at, run_id)
where status = 'leased';

-- claim_workflow_task repeated: what this poll was given; register_worker: what a worker holds.
create index workflow_tasks_poll on byssus.workflow_tasks (namespace, lease_owner, poll_request_id)
where lease_owner is not null;
