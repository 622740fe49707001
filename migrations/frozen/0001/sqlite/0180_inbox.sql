-- Events from outside that must not enter history yet, in order of arrival: held while a workflow task is leased.
-- Emptied when the lease ends; bounded by the limit on held signals and by open work.
create table inbox (
    run_id text not null,
    arrival integer not null,
    kind text not null,
    event_type text not null,
    payload text not null,
    wakes integer not null check (wakes in (0, 1)),
    -- The wait that a condition timeout resolves, if it is still open then.
    wait_position integer,
    primary key (run_id, arrival),
    constraint "kind is valid" check (kind in ('signal', 'result', 'condition_timeout')),
    constraint "a condition timeout names its wait" check (
        (kind = 'condition_timeout') = (wait_position is not null)
    )
) strict, without rowid;
