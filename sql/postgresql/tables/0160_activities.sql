-- The activities of a run, and while they are pending or running also their dispatch.
create table byssus.activities (
    run_id text collate "C" not null,
    position integer not null,
    namespace byssus.identifier not null,
    activity_type byssus.identifier not null,
    task_queue byssus.identifier not null,
    build_id byssus.identifier,
    priority smallint not null,
    status text not null,
    available_at timestamptz not null,
    attempt_number integer not null default 0,
    lease_owner byssus.identifier,
    lease_expires_at timestamptz,
    registration_token text,
    poll_request_id byssus.identifier,
    started_at timestamptz,
    last_heartbeat_at timestamptz,
    heartbeat_details json,
    arguments json,
    retry_policy json,
    max_attempts integer,
    backoff_seconds json not null,
    non_retryable_error_types json not null,
    schedule_to_start_timeout integer,
    start_to_close_timeout integer,
    heartbeat_timeout integer,
    schedule_to_close_deadline_at timestamptz,
    -- No timeout of the activity can strike before this; heartbeats leave it, enforce_timeouts moves it on.
    timeout_at timestamptz,
    -- The command's parallel group, as members to be spliced into each event of the activity.
    group_members text not null default '',
    group_base integer,
    group_size integer,
    closed_at timestamptz,
    primary key (run_id, position),
    constraint "status is valid" check (
        status in ('pending', 'running', 'completed', 'failed', 'timed_out', 'cancelled')
    ),
    constraint "a running attempt has a lease" check (
        (status = 'running')
        = (lease_owner is not null and lease_expires_at is not null and started_at is not null)
    ),
    constraint "closed_at exactly when closed" check (
        (status in ('pending', 'running')) = (closed_at is null)
    )
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_limit = 2000);

comment on table byssus.activities is
'One row per activity, at the authored position of its command; its attempts follow each other in place. Goes with its run.';

-- claim_activity_task: the first due activity of a queue, by priority, then by age.
create index activities_ready on byssus.activities
(namespace, task_queue, priority, available_at, run_id, position)
where status = 'pending';

-- expire_leases: leases that have run out.
create index activities_lease on byssus.activities (lease_expires_at, run_id, position)
where status = 'running';

-- claim_activity_task repeated: what this poll was given; register_worker: what a worker holds.
create index activities_poll on byssus.activities (namespace, lease_owner, poll_request_id)
where lease_owner is not null;

-- enforce_timeouts: activities that a timeout may have struck.
create index activities_timeout on byssus.activities (timeout_at, run_id, position)
where closed_at is null and timeout_at is not null;
