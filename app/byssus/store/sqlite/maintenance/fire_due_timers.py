"""Fires timers whose time has come, oldest first.

batch_size  how many at most.
Outcomes    swept: how many fired, and whether there may be more.
Writes      timers; inbox, or runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, Timer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.fire_timer import fire_timer
from byssus.store.sqlite.shared.swept import swept


def fire_due_timers(session: Session, batch_size: int) -> Answer:
    """Fire due timers and wake their runs."""
    now = session.now()
    due = session.every(
        Timer,
        "select * from timers where fire_at <= ? order by fire_at, run_id, position limit ?",
        (now, batch_size),
    )
    if due:
        session.must_write()

    hints: list[str | None] = []
    for timer in due:
        run = session.one(Run, "select * from runs where run_id = ?", (timer.run_id,))
        assert run is not None
        session.execute(
            "delete from timers where run_id = ? and position = ?", (timer.run_id, timer.position)
        )
        hints.append(fire_timer(session, run, timer, now))

    return swept(len(due), len(due) == batch_size, hints)
