-- Completes an activity with its result, and wakes its run.
--
-- p_namespace            the namespace.
-- p_task_id              the activity task.
-- p_activity_attempt_id  the attempt.
-- p_lease_owner          who calls.
-- p_result               the result as a payload envelope, or null.
-- p_digest               digest of the result and of what is carried, for repeats.
-- p_carried              what the worker asks for next (see carry_polls), and what the workflow does with the result
--                        (continuation, see carry_continuation); or null.
-- Outcomes               completed; the fence's refusals (activity_refusal), conflicting_completion, that of what is
--                        carried (carried_refusal), namespace_not_found.
-- Locks                  when it carries something, the registration in share mode; the run, then the activity.
-- Writes                 activities, receipts; inbox, or runs, history_events, workflow_tasks; as carry_continuation and
--                        carry_polls.
create or replace function byssus.complete_activity(
    p_namespace text, p_task_id text, p_activity_attempt_id text, p_lease_owner text, p_result json, p_digest text,
    p_carried json default null
)
returns byssus.answer
language plpgsql
security definer
set search_path = ''
as $$
declare
    v_run byssus.runs;
    v_activity byssus.activities;
    v_registration byssus.worker_registrations;
    v_now timestamptz;
    v_answer byssus.answer;
    v_reason text;
    v_subject text := substr(p_activity_attempt_id, 38);
    v_members text := ',"task_id":' || byssus.json_string(p_task_id)
        || ',"activity_attempt_id":' || byssus.json_string(p_activity_attempt_id)
        || ',"outcome":"rejected","recorded":false';
    v_wakes boolean;
    v_hints text;
    v_continued record;
    v_is_continued boolean := false;
begin
    if p_carried is not null then
        select * into v_registration from byssus.worker_registrations as w
        where w.namespace = p_namespace and w.worker_id = p_lease_owner
        for share;
    end if;
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
            v_run.run_id, v_subject, p_lease_owner, p_digest, 'conflicting_completion', v_members
        );
        if v_answer.outcome = 'completed' and p_carried is not null then
            return byssus.repeat_polls(v_run, v_registration, p_carried, v_now, v_answer);
        elsif v_answer.outcome is not null then
            return v_answer;
        end if;
        return byssus.refuse_activity(
            p_namespace, v_reason, v_run, p_task_id, p_activity_attempt_id, p_lease_owner
        );
    end if;
    if p_carried is not null then
        v_answer := byssus.carried_refusal(v_registration, v_members);
        if v_answer.outcome is not null then
            return v_answer;
        end if;
    end if;

    update byssus.activities as a
    set status = 'completed', closed_at = v_now, lease_owner = null, lease_expires_at = null, started_at = null,
        timeout_at = null
    where a.run_id = v_activity.run_id and a.position = v_activity.position;
    v_wakes := v_activity.group_base is null
        or not byssus.group_has_open_leaf(v_run.run_id, v_activity.group_base, v_activity.group_size);
    v_hints := byssus.record_event(
        v_run, v_now, 'result', 'ActivityCompleted',
        byssus.activity_event(
            v_activity, ',"result":' || coalesce(p_result::text, 'null') || ',"payload_codec":"avro"'
        ),
        -- A continuation takes the place of the workflow task; without it, that is made after all. A result that is held
        -- wakes the run once it is taken.
        v_wakes and (
            p_carried -> 'continuation' is null
            or exists (
                select from byssus.workflow_tasks as t where t.run_id = v_run.run_id and t.status = 'leased'
            )
        )
    );
    v_answer := (
        'completed',
        '{"task_id":' || byssus.json_string(p_task_id)
        || ',"activity_attempt_id":' || byssus.json_string(p_activity_attempt_id)
        || ',"outcome":"completed","recorded":true}',
        '[' || v_hints || ']'
    )::byssus.answer;
    if p_carried is not null then
        select * into v_run from byssus.runs as r where r.run_id = v_run.run_id;
    end if;
    if p_carried -> 'continuation' is not null then
        v_wakes := v_wakes and v_hints <> '';
        v_continued := byssus.carry_continuation(
            v_run, v_registration, p_carried -> 'continuation', v_wakes, v_now, v_answer
        );
        v_run.last_history_sequence := v_continued.last_sequence;
        v_is_continued := v_continued.is_applied;
        v_answer := (v_answer.outcome, v_continued.body, v_continued.hints)::byssus.answer;
        if v_wakes and not v_is_continued then
            v_answer.hints := left(v_answer.hints, -1) || ','
                || byssus.wake_run(v_run, v_run.last_history_sequence, v_now) || ']';
        end if;
    end if;
    perform byssus.record_receipt(v_run.run_id, v_subject, p_lease_owner, p_digest, v_now, v_answer);
    if p_carried is not null then
        v_answer := byssus.carry_polls(v_run, v_registration, p_carried, v_is_continued, v_now, v_answer);
    end if;
    return v_answer;
end;
$$;

comment on function byssus.complete_activity(text, text, text, text, json, text, json) is
'Completes an activity attempt with its result and wakes its run.';
