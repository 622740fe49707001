-- The answer to a caller that does not hold the activity attempt.
--
-- p_namespace    the namespace of the request.
-- p_reason       the fence's reason.
-- p_run          the run, or null.
-- p_task_id      the task the caller named.
-- p_attempt_id   the attempt the caller named.
-- p_lease_owner  who calls.
-- Result         the refusal, saying that nothing was recorded and whether the activity should stop because its
--                run was cancelled. Locks none, writes nothing.
create or replace function byssus.refuse_activity(
    p_namespace text, p_reason text, p_run byssus.runs, p_task_id text, p_attempt_id text, p_lease_owner text
)
returns byssus.answer
language plpgsql
stable
as $$
declare
    v_members text := ',"task_id":' || byssus.json_string(p_task_id)
        || ',"activity_attempt_id":' || byssus.json_string(p_attempt_id)
        || ',"lease_owner":' || byssus.json_string(p_lease_owner)
        || ',"outcome":"' || case when p_run.closed_at is null then 'rejected' else 'ignored' end
        || '","recorded":false,"heartbeat_recorded":false,"can_continue":false,"cancel_requested":'
        || coalesce(p_run.status in ('cancelled', 'terminated'), false)
        || byssus.json_member('run_status', byssus.json_string(p_run.status));
begin
    if p_reason = 'attempt_not_found' then
        return byssus.refuse_missing(p_namespace, p_reason, v_members);
    end if;
    return byssus.refuse(p_reason, v_members);
end;
$$;

comment on function byssus.refuse_activity(text, text, byssus.runs, text, text, text) is
'The refusal of a call on an activity attempt, with the run''s status.';
