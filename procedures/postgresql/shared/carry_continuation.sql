-- Completes the workflow task that an activity's completion asks for, with commands that its worker computed ahead: the
-- task is leased and answered before it ever was a row.
--
-- A speculative part: in a savepoint of its own. What fails in it is undone alone; the completion stands, and so does what
-- the caller remembers of the run.
--
-- p_run           the run as the completion has left it; its row the caller has locked.
-- p_registration  the registration of the worker that calls, locked in share mode.
-- p_continuation  basis_sequence: through which history sequence the worker has computed; commands; sticky? (see
--                 complete_workflow_task); the last two as they are given to that, as JSON text in strings.
-- p_asks          whether the completion asked for a workflow task.
-- p_now           the moment.
-- p_answer        the completion's answer.
-- Result          last_sequence: the run's last history sequence as the part has left it, for the caller to remember;
--                 is_applied; body, hints: those of the answer, with the member continuation.
-- Locks           as apply_commands.
-- Writes          affinities, worker_liveness; as apply_commands.
create or replace function byssus.carry_continuation(
    p_run byssus.runs, p_registration byssus.worker_registrations, p_continuation json, p_asks boolean,
    p_now timestamptz, p_answer byssus.answer,
    out last_sequence bigint, out is_applied boolean, out body text, out hints text
)
language plpgsql
as $$
declare
    v_basis bigint := (p_continuation ->> 'basis_sequence')::bigint;
    v_sticky json := (p_continuation ->> 'sticky')::json;
    v_task byssus.workflow_tasks;
    v_affinity byssus.affinities;
    v_is_stale boolean;
    v_status text;
    v_reason text;
    v_applied byssus.answer;
begin
    last_sequence := p_run.last_history_sequence;
    hints := p_answer.hints;
    begin
        select * into v_task from byssus.workflow_tasks as t where t.run_id = p_run.run_id;
        select * into v_affinity from byssus.affinities as a where a.run_id = p_run.run_id;
        select l.stale_at <= p_now into v_is_stale from byssus.worker_liveness as l
        where l.namespace = p_registration.namespace and l.worker_id = p_registration.worker_id;
        v_reason := byssus.continuation_refusal(
            p_run, v_task, v_affinity, p_registration, v_is_stale, p_continuation, p_asks, p_now
        );

        if v_reason is null then
            v_task.task_number := p_run.last_history_sequence;
            v_task.attempt := 1;
            v_task.lease_owner := p_registration.worker_id;
            v_task.registration_token := p_registration.registration_token;
            v_task.claimed_sequence := p_run.last_history_sequence;
            v_task.delivered_sequence := v_basis;
            v_applied := byssus.answer_workflow_task(
                p_run, v_task, p_registration, (p_continuation ->> 'commands')::json, v_sticky, p_now
            );
            v_reason := nullif(v_applied.outcome, 'completed');
        end if;
        if v_reason is null then
            select r.last_history_sequence, r.status into last_sequence, v_status
            from byssus.runs as r where r.run_id = p_run.run_id;
            if v_sticky is not null then
                perform byssus.record_sticky_metrics(p_registration.namespace, p_registration.worker_id, v_sticky);
            end if;
            -- What would fail at the commit has to fail here.
            set constraints all immediate;
            set constraints all deferred;
            hints := v_applied.hints;
        end if;
    exception
        when others then
            -- The savepoint has undone rows, not variables.
            last_sequence := p_run.last_history_sequence;
            v_reason := 'failed';
            hints := byssus.failure_hint(p_answer.hints, 'continuation', sqlstate);
    end;

    is_applied := v_reason is null;
    body := left(p_answer.body, -1) || ',"continuation":' || case
        when is_applied
            then '{"outcome":"applied","reason":null,"task_id":"' || p_run.run_id || ':k' || v_task.task_number
                || '","run_status":"' || v_status
                || '","history_last_sequence":' || last_sequence || '}'
        else '{"outcome":"refused","reason":"' || v_reason || '"}'
    end || '}';
end;
$$;

comment on function byssus.carry_continuation(
    byssus.runs, byssus.worker_registrations, json, boolean, timestamptz, byssus.answer
) is 'Completes the workflow task that an activity completion asks for, in a savepoint of its own.';
