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
    -- Whose cache the task would find warm: the run's affinity when the task became ready.
    sticky_worker_id text check (length(cast(sticky_worker_id as blob)) between 1 and 255),
    sticky_registration_token text,
    sticky_until text,
    -- From then on any worker may claim it; until then only the one whose affinity it has.
    held_until text not null,
    -- What the claim was told: its replay mode, and the sequence that its history begins behind.
    sticky_replay_mode text,
    sticky_claimed_at text,
    after_sequence integer,
    -- History pages of the lease end here: an event appended later is never delivered to it.
    claimed_sequence integer,
    -- The last history sequence that was delivered to the lease, inline or by a page.
    delivered_sequence integer,
    constraint "status is valid" check (status in ('ready', 'leased')),
    constraint "a lease is whole or absent" check (
        (status = 'leased')
        = (
            lease_owner is not null and lease_expires_at is not null
            and registration_token is not null and claimed_sequence is not null
            and sticky_replay_mode is not null and sticky_claimed_at is not null
            and after_sequence is not null and delivered_sequence is not null
        )
    ),
    constraint "sticky_replay_mode is valid" check (
        sticky_replay_mode in ('sticky_hit_expected', 'forced_cold_replay', 'cold_replay')
    ),
    constraint "an affinity is whole or absent" check (
        (sticky_worker_id is null) = (sticky_until is null)
        and (sticky_worker_id is null) = (sticky_registration_token is null)
    )
) strict, without rowid;

-- claim_workflow_task: the first task of a queue that any worker may claim, by priority, then by age.
create index workflow_tasks_ready on workflow_tasks
(namespace, task_queue, priority, held_until, run_id)
where status = 'ready';

-- claim_workflow_task: the first due task whose affinity names the worker; deregister_worker: those it was held for.
create index workflow_tasks_sticky on workflow_tasks
(sticky_registration_token, priority, available_at, run_id, sticky_until)
where status = 'ready' and sticky_registration_token is not null;

-- expire_leases: leases that have run out.
create index workflow_tasks_lease on workflow_tasks (lease_expires_at, run_id)
where status = 'leased';

-- claim_workflow_task repeated: what this poll was given; register_worker: what a worker holds.
create index workflow_tasks_poll on workflow_tasks (namespace, lease_owner, poll_request_id)
where status = 'leased';
