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
    -- Whose cache the task would find warm: the run's affinity when the task became ready.
    sticky_worker_id byssus.identifier,
    sticky_registration_token text,
    sticky_until timestamptz,
    -- From then on any worker may claim it; until then only the one whose affinity it has.
    held_until timestamptz not null,
    -- What the claim was told: its replay mode, and the sequence that its history begins behind.
    sticky_replay_mode text,
    sticky_claimed_at timestamptz,
    after_sequence bigint,
    -- History pages of the lease end here: an event appended later is never delivered to it.
    claimed_sequence bigint,
    -- The last history sequence that was delivered to the lease, inline or by a page.
    delivered_sequence bigint,
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
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_limit = 2000);

comment on table byssus.workflow_tasks is
'At most one open (ready or leased) workflow task per run. A row goes when its task is answered or its run closes.';

-- claim_workflow_task: the first task of a queue that any worker may claim, by priority, then by age.
create index workflow_tasks_ready on byssus.workflow_tasks
(namespace, task_queue, priority, held_until, run_id)
where status = 'ready';

-- claim_workflow_task: the first due task whose affinity names the worker; deregister_worker: those it was held for.
create index workflow_tasks_sticky on byssus.workflow_tasks
(sticky_registration_token, priority, available_at, run_id, sticky_until)
where status = 'ready' and sticky_registration_token is not null;

-- expire_leases: leases that have run out.
create index workflow_tasks_lease on byssus.workflow_tasks (lease_expires_at, run_id)
where status = 'leased';

-- claim_workflow_task repeated: what this poll was given; register_worker: what a worker holds.
create index workflow_tasks_poll on byssus.workflow_tasks (namespace, lease_owner, poll_request_id)
where lease_owner is not null;
