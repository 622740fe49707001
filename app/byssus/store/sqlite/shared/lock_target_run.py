"""Finds the run that a client's command means. On SQLite the transaction holds the only lock there is.

namespace    the namespace.
workflow_id  the workflow.
run_id       the run the client named; None: the current one.
Result       the run, or None when there is none (target_refusal says why).
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session


def lock_target_run(session: Session, namespace: str, workflow_id: str, run_id: str | None) -> Run | None:
    """Find the run that a command means, following continue-as-new."""
    return session.one(
        Run,
        "select r.* from workflows as w inner join runs as r on r.run_id = coalesce(?3, w.current_run_id)"
        " where w.namespace = ?1 and w.workflow_id = ?2 and r.namespace = ?1 and r.workflow_id = ?2",
        (namespace, workflow_id, run_id),
    )
