-- Finds and locks the run that a client's command means.
--
-- p_namespace    the namespace.
-- p_workflow_id  the workflow.
-- p_run_id       the run the client named; null: the current one.
-- Result         the run, locked, or null when there is none (target_refusal says why).
-- Locks          the run. Writes nothing.
create or replace function byssus.lock_target_run(p_namespace text, p_workflow_id text, p_run_id text)
returns byssus.runs
language plpgsql
as $$
declare
    v_run byssus.runs;
begin
    loop
        select r.* into v_run
        from byssus.runs as r
        where r.run_id = coalesce(p_run_id, (
            select w.current_run_id from byssus.workflows as w
            where w.namespace = p_namespace and w.workflow_id = p_workflow_id
        ))
            and r.namespace is not distinct from p_namespace and r.workflow_id is not distinct from p_workflow_id
        for no key update of r;
        -- While this waited for the lock, the current run may have continued as another one.
        exit when p_run_id is not null or v_run.continued_to_run_id is null;
    end loop;
    return v_run;
end;
$$;

comment on function byssus.lock_target_run(text, text, text) is
'Locks the run that a command means, following continue-as-new.';
