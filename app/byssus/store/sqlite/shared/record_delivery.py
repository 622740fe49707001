"""Notes through which history sequence a lease has been given the run.

task      the leased task.
sequence  the last sequence that is being delivered; None: none.
Writes    workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import WorkflowTask
from byssus.store.sqlite.session import Session


def record_delivery(session: Session, task: WorkflowTask, sequence: int | None) -> None:
    """Raise the delivered boundary of a lease to a page that is being delivered."""
    assert task.delivered_sequence is not None
    if sequence is not None and sequence > task.delivered_sequence:
        session.execute(
            "update workflow_tasks set delivered_sequence = ? where run_id = ?", (sequence, task.run_id)
        )
