-- Pending timers. A timer that has fired or was cancelled is history, not a row.
create table byssus.timers (
    run_id text collate "C" not null,
    position integer not null,
    kind text not null,
    fire_at timestamptz not null,
    -- What its events have in common, as members to be spliced in.
    event_members text not null,
    group_base integer,
    group_size integer,
    primary key (run_id, position),
    constraint "kind is valid" check (kind in ('timer', 'condition_timeout'))
);

comment on table byssus.timers is 'Timers that have not fired. A row goes when its timer fires, is cancelled, or its run closes.';

-- fire_due_timers: due timers, oldest first.
create index timers_due on byssus.timers (fire_at, run_id, position);
