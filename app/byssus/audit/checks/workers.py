"""Workers: registrations, what became of them, and signs of life."""

from __future__ import annotations

from byssus.audit.check import Check

_LIVENESS = Check(
    "worker.liveness",
    "The worker is registered and has no row for its signs of life.",
    """
    select w.namespace, w.worker_id, w.registered_at
    from audit_workers as w
    where w.last_heartbeat_at is null
    """,
    by_run=False,
)

_REGISTRATION = Check(
    "worker.registration",
    "The worker is registered under a token that is not known as active.",
    """
    select w.namespace, w.worker_id, w.registered_at, w.registration_status
    from audit_workers as w
    where coalesce(w.registration_status, '') <> 'active'
    """,
    by_run=False,
)

_INCARNATION = Check(
    "worker.incarnation",
    "A registration counts as active, and its worker is not registered under it.",
    """
    select i.namespace, i.worker_id
    from audit_incarnations as i
    where i.status = 'active' and not i.is_registered
    """,
    by_run=False,
)

CHECKS = (_LIVENESS, _REGISTRATION, _INCARNATION)
