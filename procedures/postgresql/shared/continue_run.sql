-- Continues a workflow as a new run: the old one closes, the new one starts with fresh history, and signals that
-- the old one never saw wait for it.
--
-- p_run       the run as its commands left it; its row the caller has locked.
-- p_command   continue_as_new.
-- p_now       the moment.
-- p_types, p_payloads  the events of the commands before it.
-- Result      the wake-up hints of the new run, as elements joined by commas.
-- Locks       the run's row (already held), its activities, its workflow.
-- Writes      through close_run and open_run; workflows, inbox, runs.
create or replace function byssus.continue_run(
    p_run byssus.runs, p_command json, p_now timestamptz, p_types text[], p_payloads text[]
)
returns text
language plpgsql
as $$
declare
    v_new byssus.runs := p_run;
    v_payloads byssus.run_payloads;
    v_hints text;
begin
    v_new.run_id := byssus.new_run_id(p_now);
    v_new.run_number := p_run.run_number + 1;
    v_new.continued_from_run_id := p_run.run_id;
    v_new.workflow_type := coalesce(p_command ->> 'workflow_type', p_run.workflow_type);
    v_new.task_queue := p_command ->> 'task_queue';
    v_new.run_deadline_at := p_now + make_interval(secs => p_run.run_timeout_seconds);

    update byssus.inbox as i set run_id = v_new.run_id
    where i.run_id = p_run.run_id and i.kind = 'signal';
    perform byssus.close_run(
        p_run, p_now, 'completed', 'continued', p_types, p_payloads,
        'WorkflowContinuedAsNew',
        '{"continued_to_run_id":"' || v_new.run_id || '","continued_to_run_number":' || v_new.run_number || '}',
        true
    );

    select * into v_payloads from byssus.run_payloads as p where p.run_id = p_run.run_id;
    v_payloads.input := (p_command ->> 'input')::json;
    v_hints := byssus.open_run(v_new, v_payloads, p_now);
    update byssus.runs as r set continued_to_run_id = v_new.run_id where r.run_id = p_run.run_id;
    update byssus.workflows as w
    set current_run_id = v_new.run_id, run_count = v_new.run_number
    where w.namespace = p_run.namespace and w.workflow_id = p_run.workflow_id;
    return v_hints;
end;
$$;

comment on function byssus.continue_run(byssus.runs, json, timestamptz, text[], text[]) is
'Closes a run and opens its successor with the same workflow id.';
