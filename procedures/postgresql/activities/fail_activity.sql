-- Ends an activity attempt with a failure: another attempt later, if the retry policy allows one, else the end of
-- the activity.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_failure              type?, non_retryable, fields: what the event says of it.
-- p_digest               digest of the failure, for repeats.
-- Outcomes               failed, retry_scheduled; the fence's refusals (activity_refusal), conflicting_completion,
--                        namespace_not_found.
-- Locks                  the run, then the activity.
-- Writes                 activities, receipts; inbox, or runs, history_events, workflow_tasks.
create or replace function byssus.fail_activity(
    p_namespace text, p_task_id text, p_activity_attempt_id text, p_lease_owner text, p_failure json, p_digest text
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
    v_end record;
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

    v_end := byssus.retry_or_close_activity(
        v_run, v_activity, v_now,
        not (p_failure ->> 'non_retryable')::boolean
        and not exists (
            select from json_array_elements_text(v_activity.non_retryable_error_types) as n (type)
            where n.type = p_failure ->> 'type'
        ),
        'failed', 'ActivityFailed',
        byssus.json_members(p_failure ->> 'fields') || ',"failure_category":"activity"'
    );
    v_answer := (
        v_end.outcome,
        '{"task_id":' || byssus.json_string(p_task_id)
        || ',"activity_attempt_id":' || byssus.json_string(p_activity_attempt_id)
        || ',"outcome":"' || v_end.outcome || '","recorded":true'
        || byssus.json_member('retry_available_at', byssus.json_string(byssus.wire_time(v_end.available_at))) || '}',
        '[' || v_end.hints || ']'
    )::byssus.answer;
    perform byssus.record_receipt(v_run.run_id, v_subject, p_lease_owner, p_digest, v_now, v_answer);
    return v_answer;
end;
$$;

comment on function byssus.fail_activity(text, text, text, text, json, text) is
'Ends an activity attempt with a failure and retries or fails the activity.';
