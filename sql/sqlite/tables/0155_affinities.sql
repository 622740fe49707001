-- Which worker holds a run's history in its cache, and through which sequence. Apart from the run's row, since it is
-- written by every completion of a sticky worker and counted by operators. At most one row per open run; it goes when
-- its run closes or a completion retains nothing.
create table affinities (
    run_id text not null primary key,
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    sticky_worker_id text not null check (length(cast(sticky_worker_id as blob)) between 1 and 255),
    -- Whoever registers under the same worker id later has an empty cache.
    registration_token text not null,
    build_id text not null check (length(cast(build_id as blob)) between 1 and 255),
    sticky_until text not null,
    -- For how long a ready task of the run waits for its worker before any other may claim it.
    hold_seconds integer not null,
    -- Through which history sequence the worker says that it holds the run; null when it did not say.
    reported_sequence integer,
    -- The size of the history through the claim that was answered then.
    history_size_bytes integer not null,
    -- Through which history sequence the server had delivered the run to it.
    delivered_sequence integer not null,
    constraint "a reported sequence is at least 1" check (reported_sequence >= 1)
) strict, without rowid;

-- read_sticky_metrics: affinities that have not expired.
create index affinities_unexpired on affinities (namespace, sticky_until);
