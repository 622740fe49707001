-- Events from outside that must not enter history yet, in order of arrival.
create table byssus.inbox (
    run_id text collate "C" not null,
    arrival bigint not null,
    kind text not null,
    event_type text not null,
    payload text not null,
    wakes boolean not null,
    -- The wait that a condition timeout resolves, if it is still open then.
    wait_position integer,
    primary key (run_id, arrival),
    constraint "kind is valid" check (kind in ('signal', 'result', 'condition_timeout')),
    constraint "a condition timeout names its wait" check (
        (kind = 'condition_timeout') = (wait_position is not null)
    )
);

comment on table byssus.inbox is
'Events held while a workflow task is leased. Emptied when the lease ends; '
'bounded by the limit on held signals and by open work.';
