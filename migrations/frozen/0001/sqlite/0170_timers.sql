-- Pending timers. A timer that has fired or was cancelled is history, not a row.
create table timers (
    run_id text not null,
    position integer not null,
    kind text not null,
    fire_at text not null,
    -- What its events have in common, as members to be spliced in.
    event_members text not null,
    group_base integer,
    group_size integer,
    primary key (run_id, position),
    constraint "kind is valid" check (kind in ('timer', 'condition_timeout'))
) strict, without rowid;

-- fire_due_timers: due timers, oldest first.
create index timers_due on timers (fire_at, run_id, position);
