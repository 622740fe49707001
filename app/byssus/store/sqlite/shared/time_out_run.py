"""Closes a run whose deadline has passed.

run     the run.
now     the moment.
Writes  through close_run.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.close_run import close_run


def time_out_run(session: Session, run: Run, now: str) -> None:
    """Close a run with WorkflowTimedOut."""
    outlived = run.execution_deadline_at is not None and run.execution_deadline_at <= now
    scope = "execution" if outlived else "run"
    close_run(
        session,
        run,
        now,
        "failed",
        "timed_out",
        [],
        [],
        "WorkflowTimedOut",
        f'{{"timeout_kind":"{scope}_timeout","message":"The {scope} deadline has passed."'
        ',"failure_category":"timeout"}',
        by_worker=False,
    )
