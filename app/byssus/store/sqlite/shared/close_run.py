"""Closes a run: its terminal event, what becomes of open work and of signals that were never applied.

All in the transaction that closes it. A closed run never grows afterwards.

An operator or a deadline closes a run over the worker's head: results that were held come first, open
activities and timers get their cancellation, then the terminal event. A worker closes it by its own
commands: the terminal event follows them at once, and held results come after it.

run               the run.
now               when it closes.
status            completed, failed, cancelled or terminated.
closed_reason     completed, failed, cancelled, terminated, timed_out or continued.
types, payloads   events that come before all that, in order.
terminal_type     the terminal event, and
terminal_payload  its payload.
by_worker         whether a worker's commands close the run.
Result            the run's last history sequence.
Writes            activities, timers, inbox, workflow_tasks, affinities, runs, history_events.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Activity, Run, Timer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.activity_event import activity_event
from byssus.store.sqlite.shared.append_history import append_history
from byssus.store.sqlite.shared.clear_affinity import clear_affinity
from byssus.store.sqlite.shared.signal_rejection import signal_rejection


def close_run(
    session: Session,
    run: Run,
    now: str,
    status: str,
    closed_reason: str,
    types: list[str],
    payloads: list[str],
    terminal_type: str,
    terminal_payload: str,
    by_worker: bool,
) -> int:
    """Close a run with its terminal event, cancelling open work and rejecting signals never applied."""
    held = session.execute(
        "select event_type, payload from inbox where run_id = ? and kind <> 'signal'"
        " and (kind <> 'condition_timeout' or wait_position = ?) order by arrival",
        (run.run_id, run.open_wait_position),
    ).fetchall()
    rejected = [signal_rejection(payload) for payload in _unapplied_signals(session, run)]

    closing = [(terminal_type, terminal_payload)]
    closing = closing + held if by_worker else held + _cancellations(session, run) + closing
    closing += [("SignalRejected", payload) for payload in rejected]

    session.execute(
        "update activities set status = 'cancelled', closed_at = ?, lease_owner = null,"
        " lease_expires_at = null, started_at = null, timeout_at = null"
        " where run_id = ? and closed_at is null",
        (now, run.run_id),
    )
    session.execute("delete from timers where run_id = ?", (run.run_id,))
    session.execute("delete from inbox where run_id = ?", (run.run_id,))
    session.execute("delete from workflow_tasks where run_id = ?", (run.run_id,))
    clear_affinity(session, run.run_id)

    sequence = append_history(
        session,
        run.run_id,
        run.last_history_sequence,
        now,
        types + [event_type for event_type, _ in closing],
        payloads + [payload for _, payload in closing],
    )
    session.execute(
        "update runs set status = ?, closed_reason = ?, closed_at = ?, open_wait_position = null,"
        " open_wait_fields = null, open_wait_has_news = 0 where run_id = ?",
        (status, closed_reason, now, run.run_id),
    )
    return sequence


def _unapplied_signals(session: Session, run: Run) -> list[str]:
    """The signals that workflow code never saw: in history, then held."""
    received = session.execute(
        "select wire from history_events where run_id = ? and sequence > ? and event_type = 'SignalReceived'"
        " order by sequence",
        (run.run_id, run.applied_through_sequence),
    ).fetchall()
    held = session.execute(
        "select payload from inbox where run_id = ? and kind = 'signal' order by arrival", (run.run_id,)
    ).fetchall()
    return [event for (event,) in received + held]


def _cancellations(session: Session, run: Run) -> list[tuple[str, str]]:
    """The events of open activities and pending timers, in order of their positions."""
    activities = session.every(
        Activity, "select * from activities where run_id = ? and closed_at is null", (run.run_id,)
    )
    timers = session.every(Timer, "select * from timers where run_id = ?", (run.run_id,))
    cancelled = [(a.position, "ActivityCancelled", activity_event(a, "")) for a in activities]
    cancelled += [
        (t.position, "TimerCancelled", f'{{"sequence":{t.position}{t.event_members}}}') for t in timers
    ]
    return [(event_type, payload) for _, event_type, payload in sorted(cancelled)]
