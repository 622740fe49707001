"""Completes an activity with its result, and wakes its run.

namespace            the namespace.
task_id              the activity task.
activity_attempt_id  the attempt.
lease_owner          who calls.
result               the result as a payload envelope, or None.
digest               digest of the result and of what is carried, for repeats.
carried              what the worker asks for next (see carry_polls), and what the workflow does with the
                     result (continuation, see carry_continuation); or None.
Outcomes             completed; the fence's refusals (activity_refusal), conflicting_completion, that of what
                     is carried (carried_refusal), namespace_not_found.
Writes               activities, receipts; inbox, or runs, history_events, workflow_tasks; as
                     carry_continuation and carry_polls.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Continuation, carried_parts
from byssus.store.sqlite.rows import Activity, Registration, Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_event import activity_event
from byssus.store.sqlite.shared.activity_position import activity_position
from byssus.store.sqlite.shared.activity_refusal import activity_refusal
from byssus.store.sqlite.shared.carried_refusal import carried_refusal
from byssus.store.sqlite.shared.carry_continuation import Continued, carry_continuation
from byssus.store.sqlite.shared.carry_polls import carry_polls
from byssus.store.sqlite.shared.group_has_open_leaf import group_has_open_leaf
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.record_event import record_event
from byssus.store.sqlite.shared.record_receipt import record_receipt
from byssus.store.sqlite.shared.refuse_activity import refuse_activity
from byssus.store.sqlite.shared.repeat_polls import repeat_polls
from byssus.store.sqlite.shared.repeated_answer import repeated_answer
from byssus.store.sqlite.shared.wake_run import wake_run


def complete_activity(
    session: Session,
    namespace: str,
    task_id: str,
    activity_attempt_id: str,
    lease_owner: str,
    result: str | None,
    digest: str,
    carried: str | None,
) -> Answer:
    """Complete an activity attempt with its result and wake its run."""
    subject = activity_attempt_id[37:]
    members = f'"task_id":{json_string(task_id)},"activity_attempt_id":{json_string(activity_attempt_id)}'
    rejected = f',{members},"outcome":"rejected","recorded":false'
    parts = None if carried is None else carried_parts.decode(carried)
    registration = None
    if parts is not None:
        registration = session.one(
            Registration,
            "select * from worker_registrations where namespace = ? and worker_id = ?",
            (namespace, lease_owner),
        )
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ?",
        (task_id.partition(":a")[0], namespace),
    )
    run_id = None if run is None else run.run_id
    activity = session.one(
        Activity,
        "select * from activities where run_id = ? and position = ?",
        (run_id, activity_position(task_id)),
    )
    now = session.now()

    answer = repeated_answer(
        session, run_id, subject, lease_owner, digest, "conflicting_completion", rejected
    )
    if answer is not None:
        if answer.outcome != "completed" or parts is None:
            return answer
        assert run is not None
        return repeat_polls(session, run, registration, parts, now, answer)
    reason = activity_refusal(run, activity, activity_attempt_id, lease_owner, now)
    if reason is not None:
        return refuse_activity(session, namespace, reason, run, task_id, activity_attempt_id, lease_owner)
    assert run is not None
    assert activity is not None
    if parts is not None:
        answer = carried_refusal(registration, rejected)
        if answer is not None:
            return answer

    session.execute(
        "update activities set status = 'completed', closed_at = ?, lease_owner = null,"
        " lease_expires_at = null, started_at = null, timeout_at = null where run_id = ? and position = ?",
        (now, activity.run_id, activity.position),
    )
    wakes = not group_has_open_leaf(session, run.run_id, activity.group_base, activity.group_size)
    hints = record_event(
        session,
        run,
        now,
        "result",
        "ActivityCompleted",
        activity_event(activity, f',"result":{result or "null"},"payload_codec":"avro"'),
        # A continuation takes the place of the workflow task; without it, that is made after all. A result
        # that is held wakes the run once it is taken.
        wakes=wakes and (parts is None or parts.continuation is None or _is_leased(session, run.run_id)),
    )

    answer = Answer("completed", f'{{{members},"outcome":"completed","recorded":true}}', f"[{hints}]")
    is_continued = False
    if parts is not None:
        assert registration is not None
        run = Run(*session.execute("select * from runs where run_id = ?", (run_id,)).fetchone())
        asks = wakes and hints != ""
        run, is_continued, answer = _continue(
            session, run, registration, parts.continuation, asks, now, answer
        )
    record_receipt(session, run.run_id, subject, lease_owner, digest, now, answer)
    if parts is not None:
        assert registration is not None
        answer = carry_polls(session, run, registration, parts, is_continued, now, answer)
    return answer


def _is_leased(session: Session, run_id: str) -> bool:
    return session.exists("select 1 from workflow_tasks where run_id = ? and status = 'leased'", (run_id,))


def _continue(
    session: Session,
    run: Run,
    registration: Registration,
    continuation: Continuation | None,
    asks: bool,
    now: str,
    answer: Answer,
) -> Continued:
    """Carry the continuation, if there is one; make the workflow task after all if it was not applied."""
    if continuation is None:
        return Continued(run, False, answer)
    continued = carry_continuation(session, run, registration, continuation, asks, now, answer)
    if continued.is_applied or not asks:
        return continued
    run, _, answer = continued
    hint = wake_run(session, run.run_id, run.last_history_sequence, now)
    return Continued(run, False, answer._replace(hints=f"{(answer.hints or '')[:-1]},{hint}]"))
