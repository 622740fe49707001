"""Ends a lease that was not completed: what was held meanwhile enters history.

run     the run.
now     when the lease ended.
Result  the run's last history sequence.
Writes  inbox, runs, history_events.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.append_history import append_history
from byssus.store.sqlite.shared.take_held_events import take_held_events


def release_held_events(session: Session, run: Run, now: str) -> int:
    """Append what was held during a lease that ended without a completion."""
    if not run.has_answered_task:
        return run.last_history_sequence

    held = take_held_events(session, run.run_id, run.open_wait_position)
    sequence = append_history(session, run.run_id, run.last_history_sequence, now, held.types, held.payloads)

    if held.resolves_wait:
        session.execute(
            "update runs set open_wait_position = null, open_wait_fields = null, open_wait_has_news = 0"
            " where run_id = ?",
            (run.run_id,),
        )
    elif held.has_signals and run.open_wait_position is not None:
        session.execute("update runs set open_wait_has_news = 1 where run_id = ?", (run.run_id,))
    return sequence
