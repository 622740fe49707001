"""Lets everything that a worker holds run out now. expire_leases, told by a hint, offers it again at once.

namespace  the worker's namespace.
worker_id  the worker.
now        the moment.
Result     the number of workflow tasks among it.
Writes     workflow_tasks, activities.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session


def expire_worker_leases(session: Session, namespace: str, worker_id: str, now: str) -> int:
    """Expire all leases of a worker and return how many workflow tasks were among them."""
    expired = session.execute(
        "update workflow_tasks set lease_expires_at = ?1"
        " where namespace = ?2 and lease_owner = ?3 and status = 'leased' and lease_expires_at > ?1",
        (now, namespace, worker_id),
    )
    session.execute(
        "update activities set lease_expires_at = ?1"
        " where namespace = ?2 and lease_owner = ?3 and status = 'running' and lease_expires_at > ?1",
        (now, namespace, worker_id),
    )
    return expired.rowcount
