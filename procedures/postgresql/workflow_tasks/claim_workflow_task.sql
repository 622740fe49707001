-- Claims workflow tasks for polls that wait on one queue: for each the first due task that its worker can run.
-- A poll that is repeated while its claim lives gets the same claim.
--
-- p_polls    array of {namespace, worker_id, task_queue, build_id?, poll_request_id, page_size, lease_seconds,
--            sticky_execution, hold_seconds, polling_seconds}, all of one namespace and queue, by worker id, so that
--            two calls lock registrations in the same order.
-- Result     one answer per poll, in order.
-- Outcomes   leased, empty; worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found.
-- Locks      per poll the registration in share mode, then run and task of the claim together, skipping what others
--            hold: a claim never waits for a run. When nothing is due it takes no lock at all, but for the note that a
--            sticky worker polls.
-- Writes     workflow_tasks, sticky_counts, worker_liveness.
create or replace function byssus.claim_workflow_task(p_polls json)
returns setof byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_due boolean := byssus.has_ready_workflow_task(
        p_polls -> 0 ->> 'namespace', p_polls -> 0 ->> 'task_queue', v_now,
        (p_polls -> 0 ->> 'hold_seconds')::integer
    );
    v_poll json;
    v_registration byssus.worker_registrations;
    v_answer byssus.answer;
begin
    for v_poll in select p.poll from json_array_elements(p_polls) as p (poll) loop
        if v_due then
            select * into v_registration from byssus.worker_registrations as w
            where w.namespace = v_poll ->> 'namespace' and w.worker_id = v_poll ->> 'worker_id'
            for share;
            v_now := byssus.current_instant();
        else
            select * into v_registration from byssus.worker_registrations as w
            where w.namespace = v_poll ->> 'namespace' and w.worker_id = v_poll ->> 'worker_id';
        end if;

        v_answer := byssus.refuse_poll(v_poll, v_registration);
        if v_answer.outcome is null then
            if v_registration.sticky_execution and (v_poll ->> 'sticky_execution')::boolean then
                perform byssus.record_poll(
                    v_registration.namespace, v_registration.worker_id, (v_poll ->> 'polling_seconds')::integer, v_now
                );
            end if;
            v_answer := byssus.repeat_workflow_claim(v_poll, v_registration, v_now);
        end if;
        if v_answer.outcome is null and v_due then
            v_answer := byssus.lease_workflow_task(v_poll, v_registration, v_now);
        end if;
        if v_answer.outcome is null then
            v_answer := byssus.empty_poll();
        end if;
        return next v_answer;
    end loop;
end;
$$;

comment on function byssus.claim_workflow_task(json) is 'Claims ready workflow tasks of one queue for waiting polls.';
