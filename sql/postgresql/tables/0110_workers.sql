-- Who a worker is (changes at registration), and whether it lives (changes at every heartbeat), apart,
-- so that a claim can share-lock the first without ever waiting for the second.
create table byssus.worker_registrations (
    namespace byssus.identifier not null,
    worker_id byssus.identifier not null,
    registration_token text not null,
    task_queue byssus.identifier not null,
    runtime text not null,
    sdk_version text,
    build_id byssus.identifier,
    protocol_version text not null,
    workflow_types text[] not null,
    activity_types text[] not null,
    workflow_definition_fingerprints json not null,
    workflow_command_contracts json not null,
    capabilities text[] not null,
    capability_manifest json not null,
    -- The capabilities that transitions look at.
    sticky_execution boolean not null,
    sticky_history_suffix boolean not null,
    merged_transitions boolean not null,
    max_concurrent_workflow_tasks integer not null,
    max_concurrent_activity_tasks integer not null,
    max_concurrent_worker_sessions integer not null,
    registered_at timestamptz not null,
    primary key (namespace, worker_id),
    constraint "token is 32 hex digits" check (registration_token ~ '^[0-9a-f]{32}$')
);

comment on table byssus.worker_registrations is
'The current registration of each worker. Bounded by the number of worker ids; a row goes when its worker deregisters.';

create table byssus.worker_liveness (
    namespace byssus.identifier not null,
    worker_id byssus.identifier not null,
    last_heartbeat_at timestamptz not null,
    -- Without a further heartbeat the worker counts as stale from then on.
    stale_at timestamptz not null,
    -- Until when a poll for workflow tasks, made or waiting, vouches that the worker takes tasks.
    polling_until timestamptz,
    task_slots json not null,
    process_metrics json not null,
    -- Totals that the worker reports of its history cache.
    sticky_hits bigint not null default 0,
    sticky_misses bigint not null default 0,
    sticky_evictions bigint not null default 0,
    sticky_forced_cold_replays bigint not null default 0,
    primary key (namespace, worker_id)
) with (fillfactor = 70);

comment on table byssus.worker_liveness is
'The last signs of life of each registered worker. One row per registration, updated in place.';

create table byssus.worker_incarnations (
    registration_token text primary key,
    namespace byssus.identifier not null,
    worker_id byssus.identifier not null,
    status text not null,
    recovered_workflow_task_count integer not null default 0,
    finished_at timestamptz,
    constraint "status is valid" check (status in ('active', 'superseded', 'deregistered')),
    constraint "finished when not active" check ((status = 'active') = (finished_at is null))
);

comment on table byssus.worker_incarnations is
'What became of each registration token, so that a repeated deregistration gets its receipt. prune_receipts removes ended ones.';

-- prune_receipts: ended incarnations, oldest first.
create index worker_incarnations_finished on byssus.worker_incarnations (finished_at)
where finished_at is not null;
