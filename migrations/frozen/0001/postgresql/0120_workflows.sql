-- A workflow id, the type it was started as, and which of its runs is current.
create table byssus.workflows (
    namespace byssus.identifier not null,
    workflow_id byssus.identifier not null,
    workflow_type byssus.identifier not null,
    first_run_id text collate "C" not null,
    current_run_id text collate "C" not null,
    run_count integer not null default 1,
    start_request_id byssus.identifier,
    start_digest text,
    primary key (namespace, workflow_id)
) with (fillfactor = 70);

comment on table byssus.workflows is
'One row per workflow id: unique per namespace, never reused. Goes with its last run.';
