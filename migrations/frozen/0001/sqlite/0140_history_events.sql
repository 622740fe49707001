-- What happened to a run: the history of every run, numbered 1..n without a gap, in the form that goes over the
-- wire. Written by append_history alone, never changed. Guarded by triggers; rows go only after their run.
create table history_events (
    run_id text not null,
    sequence integer not null,
    event_type text not null,
    recorded_at text not null,
    wire text not null,
    primary key (run_id, sequence),
    constraint "sequence starts at 1" check (sequence >= 1)
) strict, without rowid;
