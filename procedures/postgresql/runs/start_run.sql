-- Starts a workflow: its first run, with one ready workflow task. A workflow id is used once.
--
-- p_namespace         the namespace.
-- p_workflow_id       the workflow's id.
-- p_workflow_type     its type.
-- p_task_queue        the queue of its tasks.
-- p_duplicate_policy  fail; or use-existing: answer with the current run while it is open.
-- p_request_id        repeats of one request get one answer; null: not repeatable.
-- p_digest            digest of the request's body.
-- p_start             input, business_key, memo, search_attributes, execution_timeout_seconds, run_timeout_seconds,
--                     priority, fairness_key, fairness_weight, build_id.
-- Outcomes            started_new, returned_existing_active; instance_already_started, workflow_type_mismatch,
--                     request_id_conflict, namespace_not_found.
-- Locks               the workflow id, by inserting it.
-- Writes              workflows; through open_run runs, run_payloads, history_events, workflow_tasks.
create or replace function byssus.start_run(
    p_namespace text, p_workflow_id text, p_workflow_type text, p_task_queue text, p_duplicate_policy text,
    p_request_id text, p_digest text, p_start json
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_run byssus.runs;
    v_payloads byssus.run_payloads;
    v_hints text;
begin
    if not exists (select from byssus.namespaces as n where n.name = p_namespace) then
        return byssus.refuse_missing(p_namespace, 'namespace_not_found');
    end if;

    v_run.run_id := byssus.new_run_id(v_now);
    insert into byssus.workflows (
        namespace, workflow_id, workflow_type, first_run_id, current_run_id, start_request_id, start_digest
    ) values (
        p_namespace, p_workflow_id, p_workflow_type, v_run.run_id, v_run.run_id, p_request_id, p_digest
    )
    on conflict (namespace, workflow_id) do nothing;

    if not found then
        return byssus.answer_existing_workflow(
            p_namespace, p_workflow_id, p_workflow_type, p_duplicate_policy, p_request_id, p_digest
        );
    end if;

    v_run.namespace := p_namespace;
    v_run.workflow_id := p_workflow_id;
    v_run.run_number := 1;
    v_run.first_run_id := v_run.run_id;
    v_run.workflow_type := p_workflow_type;
    v_run.task_queue := p_task_queue;
    v_run.build_id := p_start ->> 'build_id';
    v_run.priority := (p_start ->> 'priority')::smallint;
    v_run.fairness_key := p_start ->> 'fairness_key';
    v_run.fairness_weight := (p_start ->> 'fairness_weight')::integer;
    v_run.business_key := p_start ->> 'business_key';
    v_run.execution_timeout_seconds := (p_start ->> 'execution_timeout_seconds')::integer;
    v_run.run_timeout_seconds := (p_start ->> 'run_timeout_seconds')::integer;
    v_run.execution_deadline_at := v_now + make_interval(secs => v_run.execution_timeout_seconds);
    v_run.run_deadline_at := v_now + make_interval(secs => v_run.run_timeout_seconds);
    v_payloads.input := (p_start ->> 'input')::json;
    v_payloads.memo := (p_start ->> 'memo')::json;
    v_payloads.search_attributes := (p_start ->> 'search_attributes')::json;
    v_hints := byssus.open_run(v_run, v_payloads, v_now);

    return (
        'started_new',
        byssus.started_body(p_namespace, p_workflow_id, v_run.run_id, p_workflow_type, 'pending', 'started_new')
        || '}',
        '[' || v_hints || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.start_run(text, text, text, text, text, text, text, json) is
'Starts a workflow under an unused id, or answers for the one that is there.';
