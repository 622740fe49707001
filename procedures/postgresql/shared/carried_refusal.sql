-- Why a completion may not carry parts: its worker did not register the capability.
--
-- p_registration  the registration of the worker that calls, or null.
-- p_members       members that say which completion it was, with a leading comma.
-- Result          worker_capability_not_supported, or null.
-- Locks           none. Writes nothing.
create or replace function byssus.carried_refusal(p_registration byssus.worker_registrations, p_members text)
returns byssus.answer
language plpgsql
stable
as $$
begin
    if p_registration.merged_transitions is not true then
        return byssus.refuse(
            'worker_capability_not_supported',
            p_members || ',"capability":"merged_transitions"'
            || ',"remediation":"Register the worker with the capability merged_transitions, or carry nothing."'
        );
    end if;
    return null;
end;
$$;

comment on function byssus.carried_refusal(byssus.worker_registrations, text) is
'The refusal of a completion that carries parts, or null.';
