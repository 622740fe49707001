-- Claims activities for polls that wait on one queue: for each the first due activity that its worker can run, as
-- a new attempt. A poll that is repeated while its claim lives gets the same claim.
--
-- p_polls    array of {namespace, worker_id, task_queue, build_id?, poll_request_id, lease_seconds}, all of one
--            namespace and queue, by worker id, so that two calls lock registrations in the same order.
-- Result     one answer per poll, in order.
-- Outcomes   leased, empty; worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found.
-- Locks      per poll the registration in share mode, then the claimed activity, skipping what others hold. When
--            nothing is due it takes no lock at all.
-- Writes     activities.
create or replace function byssus.claim_activity_task(p_polls json)
returns setof byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_due boolean := byssus.has_ready_activity(
        p_polls -> 0 ->> 'namespace', p_polls -> 0 ->> 'task_queue', v_now
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
            v_answer := byssus.repeat_activity_claim(v_poll, v_now);
        end if;
        if v_answer.outcome is null and v_due then
            v_answer := byssus.lease_activity(v_poll, v_registration, v_now);
        end if;
        if v_answer.outcome is null then
            v_answer := byssus.empty_poll();
        end if;
        return next v_answer;
    end loop;
end;
$$;

comment on function byssus.claim_activity_task(json) is 'Claims pending activities of one queue for waiting polls.';
