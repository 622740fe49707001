"""Records an event that comes from outside workflow code: appended at once, or held.

It is held while a workflow task is leased, so that no history that a worker is replaying moves under it.

run            the run.
now            when it happened.
kind           signal, result or condition_timeout (see inbox).
event_type     the event type.
payload        the event's payload.
wakes          whether workflow code has to look at it now.
wait_position  the wait that a condition timeout resolves.
Result         the wake-up hints, as elements joined by commas; empty when none.
Writes         inbox; or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.append_history import append_history
from byssus.store.sqlite.shared.wake_run import wake_run


def record_event(
    session: Session,
    run: Run,
    now: str,
    kind: str,
    event_type: str,
    payload: str,
    wakes: bool,
    wait_position: int | None = None,
) -> str:
    """Append an outside event to history and wake its run, or hold it while a workflow task is leased."""
    leased = "select 1 from workflow_tasks where run_id = ? and status = 'leased'"
    if (kind == "signal" and not run.has_answered_task) or session.exists(leased, (run.run_id,)):
        session.execute(
            "insert into inbox (run_id, arrival, kind, event_type, payload, wakes, wait_position)"
            " select ?1, coalesce(max(arrival), 0) + 1, ?2, ?3, ?4, ?5, ?6 from inbox where run_id = ?1",
            (run.run_id, kind, event_type, payload, wakes, wait_position),
        )
        return ""

    sequence = append_history(session, run.run_id, run.last_history_sequence, now, [event_type], [payload])
    if kind == "signal":
        session.execute(
            "update runs set open_wait_has_news = 1"
            " where run_id = ? and open_wait_position is not null and not open_wait_has_news",
            (run.run_id,),
        )
    elif kind == "condition_timeout":
        session.execute(
            "update runs set open_wait_position = null, open_wait_fields = null, open_wait_has_news = 0"
            " where run_id = ?",
            (run.run_id,),
        )

    hints = f'["run","{run.run_id}"]'
    if wakes:
        hints += "," + wake_run(session, run.run_id, sequence, now)
    return hints
