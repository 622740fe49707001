"""Enforces deadlines: runs past theirs are closed, activities past theirs are retried or timed out.

batch_size  how many runs at most, and how many activities.
Outcomes    swept: how many timeouts struck, and whether there may be more.
Writes      through close_run; activities, inbox, runs, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.swept import swept
from byssus.store.sqlite.shared.time_out_activity import time_out_activity
from byssus.store.sqlite.shared.time_out_run import time_out_run

_DUE_ACTIVITIES = (
    "select run_id, position from activities where closed_at is null and timeout_at <= ?"
    " order by timeout_at, run_id, position limit ?"
)


def enforce_timeouts(session: Session, batch_size: int) -> Answer:
    """Close runs past their deadline and time out activities."""
    now = session.now()
    runs = session.every(
        Run,
        "select * from runs where closed_at is null and deadline_at <= ?"
        " order by deadline_at, run_id limit ?",
        (now, batch_size),
    )
    if runs or session.exists(_DUE_ACTIVITIES, (now, 1)):
        session.must_write()

    struck = 0
    hints: list[str | None] = []
    for run in runs:
        struck += 1
        time_out_run(session, run, now)
        hints.append(f'["run","{run.run_id}"]')

    activities = session.execute(_DUE_ACTIVITIES, (now, batch_size)).fetchall()
    for run_id, position in activities:
        current = session.one(Run, "select * from runs where run_id = ? and closed_at is null", (run_id,))
        if current is None:
            continue
        hint = time_out_activity(session, current, position, now)
        struck += hint is not None
        hints.append(hint)

    return swept(struck, struck > 0 and batch_size in (len(runs), len(activities)), hints)
