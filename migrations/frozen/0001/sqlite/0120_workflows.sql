-- A workflow id, the type it was started as, and which of its runs is current. One row per workflow id:
-- unique per namespace, never reused. Goes with its last run.
create table workflows (
    namespace text not null check (length(cast(namespace as blob)) between 1 and 255),
    workflow_id text not null check (length(cast(workflow_id as blob)) between 1 and 255),
    workflow_type text not null check (length(cast(workflow_type as blob)) between 1 and 255),
    first_run_id text not null,
    current_run_id text not null,
    run_count integer not null default 1,
    start_request_id text check (length(cast(start_request_id as blob)) between 1 and 255),
    start_digest text,
    primary key (namespace, workflow_id)
) strict, without rowid;
