-- The activities of a run, and while they are pending or running also their dispatch. One row per activity, at the
-- authored position of its command; its attempts follow each other in place. Goes with its run.
create table activities (
    run_id text not null,
    position integer not null,
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    activity_type text not null check (length(cast(activity_type as blob)) between 1 and 255),
    task_queue text not null check (length(cast(task_queue as blob)) between 1 and 255),
    build_id text check (length(cast(build_id as blob)) between 1 and 255),
    priority integer not null,
    status text not null,
    available_at text not null,
    attempt_number integer not null default 0,
    lease_owner text check (length(cast(lease_owner as blob)) between 1 and 255),
    lease_expires_at text,
    registration_token text,
    poll_request_id text check (length(cast(poll_request_id as blob)) between 1 and 255),
    started_at text,
    last_heartbeat_at text,
    heartbeat_details text,
    arguments text,
    retry_policy text,
    max_attempts integer,
    backoff_seconds text not null,
    non_retryable_error_types text not null,
    schedule_to_start_timeout integer,
    start_to_close_timeout integer,
    heartbeat_timeout integer,
    schedule_to_close_deadline_at text,
    -- No timeout of the activity can strike before this; heartbeats leave it, enforce_timeouts moves it on.
    timeout_at text,
    -- The command's parallel group, as members to be spliced into each event of the activity.
    group_members text not null default '',
    group_base integer,
    group_size integer,
    closed_at text,
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
) strict, without rowid;

-- claim_activity_task: the first due activity of a queue, by priority, then by age.
create index activities_ready on activities
(namespace, task_queue, priority, available_at, run_id, position)
where status = 'pending';

-- expire_leases: leases that have run out.
create index activities_lease on activities (lease_expires_at, run_id, position)
where status = 'running';

-- claim_activity_task repeated: what this poll was given; register_worker: what a worker holds.
create index activities_poll on activities (namespace, lease_owner, poll_request_id)
where status = 'running';

-- enforce_timeouts: activities that a timeout may have struck.
create index activities_timeout on activities (timeout_at, run_id, position)
where closed_at is null and timeout_at is not null;
