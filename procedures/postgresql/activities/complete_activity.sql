-- Completes an activity with its result, and wakes its run.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_result               the result as a payload envelope, or null.
-- p_digest               digest of the result, for repeats.
-- Outcomes               completed; the fence's refusals (activity_refusal), conflicting_completion,
--                        namespace_not_found.
-- Locks                  the run, then the activity.
-- Writes                 activities, receipts; inbox, or runs, history_events, workflow_tasks.
create or replace function byssus.complete_activity(
    p_namespace text, p_task_id text, p_activity_attempt_id text, p_lease_owner text, p_result json, p_digest text
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
    v_answer byssus.answer;
    v_reason text;
    v_subject text := substr(p_activity_attempt_id, 38);
    v_hints text;
begin
    select * into v_run from byssus.runs as r
    where r.run_id = split_part(p_task_id, ':a', 1) and r.namespace is not distinct from p_namespace
    for no key update;
    select * into v_activity from byssus.activities as a
    where a.run_id = v_run.run_id and a.position = byssus.activity_position(p_task_id)
    for update;
    v_now := byssus.current_instant();

    v_reason := byssus.activity_refusal(v_run, v_activity, p_activity_attempt_id, p_lease_owner, v_now);
    if v_reason is not null then
        -- Whoever holds the attempt has not answered yet, so a receipt can only be there for another.
        v_answer := byssus.repeated_answer(
            v_run.run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion',
            ',"task_id":' || byssus.json_string(p_task_id)
            || ',"activity_attempt_id":' || byssus.json_string(p_activity_attempt_id)
            || ',"outcome":"rejected","recorded":false'
        );
        if v_answer.outcome is not null then
            return v_answer;
        end if;
        return byssus.refuse_activity(
            p_namespace, v_reason, v_run, p_task_id, p_activity_attempt_id, p_lease_owner
        );
    end if;

    update byssus.activities as a
    set status = 'completed', closed_at = v_now, lease_owner = null, lease_expires_at = null, started_at = null,
        timeout_at = null
    where a.run_id = v_activity.run_id and a.position = v_activity.position;
    v_hints := byssus.record_event(
        v_run, v_now, 'result', 'ActivityCompleted',
        byssus.activity_event(
            v_activity, ',"result":' || coalesce(p_result::text, 'null') || ',"payload_codec":"avro"'
        ),
        v_activity.group_base is null
        or not byssus.group_has_open_leaf(v_run.run_id, v_activity.group_base, v_activity.group_size)
    );

    v_answer := (
        'completed',
        '{"task_id":' || byssus.json_string(p_task_id)
        || ',"activity_attempt_id":' || byssus.json_string(p_activity_attempt_id)
        || ',"outcome":"completed","recorded":true}',
        '[' || v_hints || ']'
    )::byssus.answer;
    perform byssus.record_receipt(v_run.run_id, v_subject, p_lease_owner, p_digest, v_now, v_answer);
    return v_answer;
end;
$$;

comment on function byssus.complete_activity(text, text, text, text, json, text) is
'Completes an activity attempt with its result and wakes its run.';
