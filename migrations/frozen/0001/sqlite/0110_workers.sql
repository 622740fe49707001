-- Who a worker is (changes at registration), and whether it lives (changes at every heartbeat), apart,
-- so that a heartbeat rewrites a small row.
--
-- The current registration of each worker. Bounded by the number of worker ids; a row goes when its worker
-- deregisters.
create table worker_registrations (
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    worker_id text not null check (length(cast(worker_id as blob)) between 1 and 255),
    registration_token text not null,
    task_queue text not null check (length(cast(task_queue as blob)) between 1 and 255),
    runtime text not null,
    sdk_version text,
    build_id text check (length(cast(build_id as blob)) between 1 and 255),
    protocol_version text not null,
    workflow_types text not null,
    activity_types text not null,
    workflow_definition_fingerprints text not null,
    workflow_command_contracts text not null,
    capabilities text not null,
    capability_manifest text not null,
    -- The capabilities that transitions look at.
    sticky_execution integer not null check (sticky_execution in (0, 1)),
    sticky_history_suffix integer not null check (sticky_history_suffix in (0, 1)),
    merged_transitions integer not null check (merged_transitions in (0, 1)),
    max_concurrent_workflow_tasks integer not null,
    max_concurrent_activity_tasks integer not null,
    max_concurrent_worker_sessions integer not null,
    registered_at text not null,
    primary key (namespace, worker_id),
    constraint "token is 32 hex digits" check (
        length(registration_token) = 32 and registration_token not glob '*[^0-9a-f]*'
    )
) strict, without rowid;

-- The last signs of life of each registered worker. One row per registration, updated in place.
create table worker_liveness (
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    worker_id text not null check (length(cast(worker_id as blob)) between 1 and 255),
    last_heartbeat_at text not null,
    -- Without a further heartbeat the worker counts as stale from then on.
    stale_at text not null,
    -- Until when a poll for workflow tasks, made or waiting, vouches that the worker takes tasks.
    polling_until text,
    task_slots text not null,
    process_metrics text not null,
    -- Totals that the worker reports of its history cache.
    sticky_hits integer not null default 0,
    sticky_misses integer not null default 0,
    sticky_evictions integer not null default 0,
    sticky_forced_cold_replays integer not null default 0,
    primary key (namespace, worker_id)
) strict, without rowid;

-- What became of each registration token, so that a repeated deregistration gets its receipt. prune_receipts
-- removes ended ones.
create table worker_incarnations (
    registration_token text not null primary key,
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    worker_id text not null check (length(cast(worker_id as blob)) between 1 and 255),
    status text not null,
    recovered_workflow_task_count integer not null default 0,
    finished_at text,
    constraint "status is valid" check (status in ('active', 'superseded', 'deregistered')),
    constraint "finished when not active" check ((status = 'active') = (finished_at is null))
) strict, without rowid;

-- prune_receipts: ended incarnations, oldest first.
create index worker_incarnations_finished on worker_incarnations (finished_at)
where finished_at is not null;
