-- One execution of a workflow. Its row is the lock of everything that belongs to the run, and the memory of
-- its history sequence.
create table byssus.runs (
    run_id text collate "C" primary key,
    namespace byssus.identifier not null,
    workflow_id byssus.identifier not null,
    run_number integer not null,
    -- The first run of the workflow: what request ids are remembered under, whichever run is current.
    first_run_id text collate "C" not null,
    workflow_type byssus.identifier not null,
    task_queue byssus.identifier not null,
    build_id byssus.identifier,
    priority smallint not null,
    fairness_key byssus.identifier,
    fairness_weight integer not null,
    business_key byssus.identifier,
    status text not null,
    status_bucket text not null generated always as (
        case
            when status in ('pending', 'waiting') then 'running'
            when status = 'completed' then 'completed'
            else 'failed'
        end
    ) stored,
    closed_reason text,
    last_history_sequence bigint not null default 0,
    history_size_bytes bigint not null default 0,
    last_authored_position integer not null default 0,
    -- The history that the last answered workflow task had been given.
    applied_through_sequence bigint not null default 0,
    -- Signals are held until the first workflow task has been answered.
    has_answered_task boolean not null default false,
    -- The condition wait that workflow code is blocked on, and whether a receiver came since it opened.
    open_wait_position integer,
    open_wait_fields text,
    open_wait_has_news boolean not null default false,
    continued_from_run_id text collate "C",
    continued_to_run_id text collate "C",
    execution_timeout_seconds integer,
    run_timeout_seconds integer,
    execution_deadline_at timestamptz,
    run_deadline_at timestamptz,
    deadline_at timestamptz generated always as (least(execution_deadline_at, run_deadline_at)) stored,
    started_at timestamptz not null,
    last_progress_at timestamptz not null,
    closed_at timestamptz,
    constraint "status is valid" check (
        status in ('pending', 'waiting', 'completed', 'failed', 'cancelled', 'terminated')
    ),
    constraint "closed_at and closed_reason exactly when closed" check (
        (status in ('pending', 'waiting')) = (closed_at is null)
        and (closed_at is null) = (closed_reason is null)
    ),
    constraint "an open wait has its fields" check (
        (open_wait_position is null) = (open_wait_fields is null)
    ),
    constraint "priority is 0 to 9" check (priority between 0 and 9)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

comment on table byssus.runs is
'One row per run. Lock it (for no key update) before anything else of the run. Goes with retention and namespace deletion.';

-- list_runs: the newest of a namespace; of a status; of a type.
create index runs_newest on byssus.runs (namespace, run_id desc);
create index runs_newest_by_status on byssus.runs (namespace, status_bucket, run_id desc);
create index runs_newest_by_type on byssus.runs (namespace, workflow_type, status_bucket, run_id desc);

-- A run is found by its workflow and number, and no number is given twice.
create unique index runs_of_workflow on byssus.runs (namespace, workflow_id, run_number);

-- enforce_timeouts: open runs whose deadline has passed.
create index runs_deadline on byssus.runs (deadline_at, run_id)
where closed_at is null and deadline_at is not null;

-- The documents of a run, apart from its row, so that locking and updating that stays cheap.
create table byssus.run_payloads (
    run_id text collate "C" primary key,
    input json,
    output json,
    memo json,
    search_attributes json
);

comment on table byssus.run_payloads is 'Input, output, memo and search attributes of a run, byte for byte. One row per run.';
