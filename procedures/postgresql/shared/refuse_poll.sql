-- Why a poll may not claim: its worker is unknown, or polls another queue or build than it registered for.
--
-- p_poll          the poll.
-- p_registration  the worker's registration, or null.
-- Result          worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found; or null.
-- Locks           none. Writes nothing.
create or replace function byssus.refuse_poll(p_poll json, p_registration byssus.worker_registrations)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_members text := ',"task":null,"poll_status":"rejected","worker_id":' || (p_poll -> 'worker_id')::text
        || ',"task_queue":' || (p_poll -> 'task_queue')::text;
begin
    if p_registration.worker_id is null then
        return byssus.refuse_missing(p_poll ->> 'namespace', 'worker_not_registered', v_members);
    elsif p_registration.task_queue <> p_poll ->> 'task_queue' then
        return byssus.refuse('task_queue_mismatch', v_members);
    elsif p_registration.build_id <> p_poll ->> 'build_id' then
        return byssus.refuse('build_id_mismatch', v_members);
    end if;
    return null;
end;
$$;

comment on function byssus.refuse_poll(json, byssus.worker_registrations) is 'The refusal of a poll, or null.';
