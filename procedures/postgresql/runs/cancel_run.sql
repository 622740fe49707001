-- Cancels a run at once: its open work is cancelled and the run is closed.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       one of its runs; null: the current one.
-- p_reason       why, for people; or null.
-- p_request_id   repeats of one request get one answer; null: not repeatable.
-- p_digest       digest of the request's body.
-- Outcomes       cancelled; instance_not_found, run_not_found, historical_run_command_rejected,
--                request_id_conflict, run_not_active, namespace_not_found.
-- Locks          the run, then its activities.
-- Writes         through close_run; receipts.
create or replace function byssus.cancel_run(
    p_namespace text, p_workflow_id text, p_run_id text, p_reason text, p_request_id text, p_digest text
)
returns byssus.answer
language sql
security definer
set search_path = ''
as $$
    select byssus.stop_run(
        p_namespace, p_workflow_id, p_run_id, p_reason, p_request_id, p_digest,
        'cancelled', 'cancel', 'CancelRequested', 'WorkflowCancelled'
    );
$$;

comment on function byssus.cancel_run(text, text, text, text, text, text) is 'Cancels a run and closes it.';
