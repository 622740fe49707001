"""Fires one timer, whose row is gone already.

The timeout of a wait that is no longer open comes too late and changes nothing.

run     the timer's run.
timer   the timer.
now     the moment.
Result  the wake-up hints, as elements joined by commas; empty when none.
Writes  inbox, or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run, Timer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.group_has_open_leaf import group_has_open_leaf
from byssus.store.sqlite.shared.record_event import record_event


def fire_timer(session: Session, run: Run, timer: Timer, now: str) -> str:
    """Record that a timer fired, or that a condition wait timed out."""
    payload = f'{{"sequence":{timer.position}{timer.event_members},"fired_at":"{now}"}}'
    if timer.kind == "timer":
        wakes = not group_has_open_leaf(session, run.run_id, timer.group_base, timer.group_size)
        return record_event(session, run, now, "result", "TimerFired", payload, wakes)
    if timer.position == run.open_wait_position:
        return record_event(
            session, run, now, "condition_timeout", "TimerFired", payload, True, timer.position
        )
    return ""
