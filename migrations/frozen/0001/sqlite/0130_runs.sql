-- One execution of a workflow, and the memory of its history sequence. Goes with retention and namespace deletion.
create table runs (
    run_id text not null primary key,
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    workflow_id text not null check (length(cast(workflow_id as blob)) between 1 and 255),
    run_number integer not null,
    -- The first run of the workflow: what request ids are remembered under, whichever run is current.
    first_run_id text not null,
    workflow_type text not null check (length(cast(workflow_type as blob)) between 1 and 255),
    task_queue text not null check (length(cast(task_queue as blob)) between 1 and 255),
    build_id text check (length(cast(build_id as blob)) between 1 and 255),
    priority integer not null,
    fairness_key text check (length(cast(fairness_key as blob)) between 1 and 255),
    fairness_weight integer not null,
    business_key text check (length(cast(business_key as blob)) between 1 and 255),
    status text not null,
    status_bucket text not null generated always as (
        case
            when status in ('pending', 'waiting') then 'running'
            when status = 'completed' then 'completed'
            else 'failed'
        end
    ) stored,
    closed_reason text,
    last_history_sequence integer not null default 0,
    history_size_bytes integer not null default 0,
    last_authored_position integer not null default 0,
    -- The history that the last answered workflow task had been given.
    applied_through_sequence integer not null default 0,
    -- Signals are held until the first workflow task has been answered.
    has_answered_task integer not null default 0 check (has_answered_task in (0, 1)),
    -- The condition wait that workflow code is blocked on, and whether a receiver came since it opened.
    open_wait_position integer,
    open_wait_fields text,
    open_wait_has_news integer not null default 0 check (open_wait_has_news in (0, 1)),
    continued_from_run_id text,
    continued_to_run_id text,
    execution_timeout_seconds integer,
    run_timeout_seconds integer,
    execution_deadline_at text,
    run_deadline_at text,
    deadline_at text generated always as (
        coalesce(min(execution_deadline_at, run_deadline_at), execution_deadline_at, run_deadline_at)
    ) stored,
    started_at text not null,
    last_progress_at text not null,
    closed_at text,
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
) strict, without rowid;

-- list_runs: the newest of a namespace; of a status; of a type.
create index runs_newest on runs (namespace, run_id desc);
create index runs_newest_by_status on runs (namespace, status_bucket, run_id desc);
create index runs_newest_by_type on runs (namespace, workflow_type, status_bucket, run_id desc);

-- A run is found by its workflow and number, and no number is given twice.
create unique index runs_of_workflow on runs (namespace, workflow_id, run_number);

-- enforce_timeouts: open runs whose deadline has passed.
create index runs_deadline on runs (deadline_at, run_id)
where closed_at is null and deadline_at is not null;

-- The documents of a run, apart from its row, so that updating that stays cheap: input, output, memo and search
-- attributes, byte for byte. One row per run.
create table run_payloads (
    run_id text not null primary key,
    input text,
    output text,
    memo text,
    search_attributes text
) strict, without rowid;
