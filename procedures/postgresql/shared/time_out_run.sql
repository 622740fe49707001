-- Closes a run whose deadline has passed.
--
-- p_run   the run, whose row the caller has locked.
-- p_now   the moment.
-- Locks   the run's row (already held), its activities.
-- Writes  through close_run.
create or replace function byssus.time_out_run(p_run byssus.runs, p_now timestamptz)
returns void
language plpgsql
as $$
declare
    v_kind text := case
        when p_run.execution_deadline_at <= p_now then 'execution_timeout'
        else 'run_timeout'
    end;
begin
    perform byssus.close_run(
        p_run, p_now, 'failed', 'timed_out', '{}', '{}', 'WorkflowTimedOut',
        '{"timeout_kind":"' || v_kind || '","message":"The ' || replace(v_kind, '_timeout', '')
        || ' deadline has passed.","failure_category":"timeout"}',
        false
    );
end;
$$;

comment on function byssus.time_out_run(byssus.runs, timestamptz) is 'Closes a run with WorkflowTimedOut.';
