-- What happened to a run. Written by append_history alone, never changed, in the form that goes over the wire.
create table byssus.history_events (
    run_id text collate "C" not null,
    sequence bigint not null,
    event_type text not null,
    recorded_at timestamptz not null,
    wire text not null,
    primary key (run_id, sequence),
    constraint "sequence starts at 1" check (sequence >= 1)
) with (autovacuum_vacuum_insert_scale_factor = 0.05);

comment on table byssus.history_events is
'The history of every run, numbered 1..n without a gap. Guarded by triggers; rows go only after their run.';
