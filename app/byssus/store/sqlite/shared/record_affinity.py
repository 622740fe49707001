"""Notes which worker holds a run in its cache: what a completion with sticky_cache says.

run           the run as the claim found it.
task          its leased task.
registration  the registration of the task's worker.
sticky        the checked claim (sticky_refusal): ttl_seconds, hold_seconds, history_last_sequence?.
now           the moment.
Writes        affinities.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import StickyCache
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session


def record_affinity(
    session: Session, run: Run, task: WorkflowTask, registration: Registration, sticky: StickyCache, now: str
) -> None:
    """Record which worker holds a run in its cache, until when, and through which history sequence."""
    session.execute(
        "insert or replace into affinities (run_id, namespace, sticky_worker_id, registration_token,"
        " build_id, sticky_until, hold_seconds, reported_sequence, history_size_bytes, delivered_sequence)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.run_id,
            run.namespace,
            task.lease_owner,
            task.registration_token,
            registration.build,
            later(now, sticky.ttl_seconds),
            sticky.hold_seconds,
            sticky.history_last_sequence,
            run.history_size_bytes,
            task.delivered_sequence,
        ),
    )
