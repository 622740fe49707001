-- Gives back an activity attempt whose answer could not be delivered: the activity is pending again at once.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          for whom it was claimed.
-- Outcomes               released; the fence's refusals (activity_refusal), namespace_not_found.
-- Locks                  the activity. Writes activities.
create or replace function byssus.release_activity_task(
    p_namespace text, p_task_id text, p_activity_attempt_id text, p_lease_owner text
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_activity byssus.activities;
    v_now timestamptz;
    v_reason text;
begin
    select * into v_activity from byssus.activities as a
    where a.run_id = split_part(p_task_id, ':a', 1) and a.position = byssus.activity_position(p_task_id)
        and a.namespace is not distinct from p_namespace
    for update;
    select * into v_run from byssus.runs as r where r.run_id = v_activity.run_id;
    v_now := byssus.current_instant();

    v_reason := byssus.activity_refusal(v_run, v_activity, p_activity_attempt_id, p_lease_owner, v_now);
    if v_reason is not null then
        return byssus.refuse_activity(
            p_namespace, v_reason, v_run, p_task_id, p_activity_attempt_id, p_lease_owner
        );
    end if;

    perform byssus.end_activity_lease(v_activity, v_now);
    return (
        'released',
        '{"task_id":' || byssus.json_string(p_task_id) || ',"outcome":"released"}',
        '[' || byssus.ready_hint('activity', v_activity.namespace, v_activity.task_queue) || ']'
    )::byssus.answer;
end;
$$;

comment on function byssus.release_activity_task(text, text, text, text) is
'Offers an activity again whose claim did not reach its worker.';
