"""Cancels a run at once: its open work is cancelled and the run is closed.

namespace    the namespace.
workflow_id  the workflow.
run_id       one of its runs; None: the current one.
reason       why, for people; or None.
request_id   repeats of one request get one answer; None: not repeatable.
digest       digest of the request's body.
Outcomes     cancelled; instance_not_found, run_not_found, historical_run_command_rejected,
             request_id_conflict, run_not_active, namespace_not_found.
Writes       through close_run; receipts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.stop_run import stop_run


def cancel_run(
    session: Session,
    namespace: str,
    workflow_id: str,
    run_id: str | None,
    reason: str | None,
    request_id: str | None,
    digest: str,
) -> Answer:
    """Cancel a run and close it."""
    return stop_run(
        session,
        namespace,
        workflow_id,
        run_id,
        reason,
        request_id,
        digest,
        "cancelled",
        "cancel",
        "CancelRequested",
        "WorkflowCancelled",
    )
