-- Ends a workflow task whose last command closes the run: completed, failed, or continued as a new run.
--
-- p_run       the run as its commands left it; its row the caller has locked.
-- p_task      its leased task.
-- p_terminal  complete_workflow, fail_workflow or continue_as_new.
-- p_now       the moment.
-- p_types, p_payloads  the events of the commands before it.
-- Result      outcome completed.
-- Locks       the run's row (already held), its activities; its workflow when it continues as new.
-- Writes      through close_run and continue_run; run_payloads.
create or replace function byssus.finish_run(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_terminal json, p_now timestamptz, p_types text[],
    p_payloads text[]
)
returns byssus.answer
language plpgsql
as $$
declare
    v_status text := 'completed';
    v_hints text := '["run","' || p_run.run_id || '"]';
begin
    case p_terminal ->> 'type'
        when 'complete_workflow' then
            update byssus.run_payloads as p set output = (p_terminal ->> 'output')::json where p.run_id = p_run.run_id;
            perform byssus.close_run(
                p_run, p_now, 'completed', 'completed', p_types, p_payloads,
                'WorkflowCompleted', p_terminal ->> 'fields', true
            );
        when 'fail_workflow' then
            v_status := 'failed';
            perform byssus.close_run(
                p_run, p_now, 'failed', 'failed', p_types, p_payloads,
                'WorkflowFailed', p_terminal ->> 'fields', true
            );
        when 'continue_as_new' then
            v_hints := v_hints || ',' || byssus.continue_run(p_run, p_terminal, p_now, p_types, p_payloads);
    end case;

    return (
        'completed',
        '{"task_id":"' || p_run.run_id || ':k' || p_task.task_number
        || '","outcome":"completed","recorded":true,"run_status":"' || v_status || '"}',
        '[' || v_hints || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.finish_run(
    byssus.runs, byssus.workflow_tasks, json, timestamptz, text[], text[]
) is 'Completes a workflow task that closes its run.';
