-- Which worker holds a run's history in its cache, and through which sequence. Apart from the run's row, since it is
-- written by every completion of a sticky worker and counted by operators.
create table byssus.affinities (
    run_id text collate "C" primary key,
    namespace byssus.identifier not null,
    sticky_worker_id byssus.identifier not null,
    -- Whoever registers under the same worker id later has an empty cache.
    registration_token text not null,
    build_id byssus.identifier not null,
    sticky_until timestamptz not null,
    -- For how long a ready task of the run waits for its worker before any other may claim it.
    hold_seconds integer not null,
    -- Through which history sequence the worker says that it holds the run; null when it did not say.
    reported_sequence bigint,
    -- The size of the history through the claim that was answered then.
    history_size_bytes bigint not null,
    -- Through which history sequence the server had delivered the run to it.
    delivered_sequence bigint not null,
    constraint "a reported sequence is at least 1" check (reported_sequence >= 1)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_limit = 2000);

comment on table byssus.affinities is
'At most one row per open run. A row goes when its run closes or a completion retains nothing.';

-- read_sticky_metrics: affinities that have not expired.
create index affinities_unexpired on byssus.affinities (namespace, sticky_until);
