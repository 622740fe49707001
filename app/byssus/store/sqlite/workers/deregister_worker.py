"""Takes a worker out of service and offers again what it held.

With a token it is fenced: only that very registration is ended, and the answer can be had again while its
receipt is kept.

namespace           the worker's namespace.
worker_id           its id.
registration_token  the registration to end; None: whichever is current.
receipt_seconds     for how long a receipt can be asked for.
Outcomes            deregistered; worker_not_found, worker_registration_token_not_found,
                    worker_registration_lost_authority (another registration took its place),
                    worker_registration_receipt_expired, namespace_not_found.
Writes              worker_registrations, worker_liveness, worker_incarnations, workflow_tasks, activities.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Incarnation, Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.expire_worker_leases import expire_worker_leases
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.release_sticky_holds import release_sticky_holds


def deregister_worker(
    session: Session, namespace: str, worker_id: str, registration_token: str | None, receipt_seconds: int
) -> Answer:
    """End a worker's registration, fenced by its token, and let its leases run out at once."""
    members = f',"worker_id":{json_string(worker_id)}'
    registration = session.one(
        Registration,
        "select * from worker_registrations where namespace = ? and worker_id = ?",
        (namespace, worker_id),
    )
    now = session.now()
    hints = ""

    token = registration_token
    if token is None:
        if registration is None:
            return refuse_missing(session, namespace, "worker_not_found", members)
        token = registration.registration_token

    incarnation = session.one(
        Incarnation,
        "select * from worker_incarnations where registration_token = ? and namespace = ? and worker_id = ?",
        (token, namespace, worker_id),
    )
    if incarnation is None:
        return refuse_missing(session, namespace, "worker_registration_token_not_found", members)
    if incarnation.status == "superseded":
        return refuse("worker_registration_lost_authority", members)
    if incarnation.finished_at is not None and incarnation.finished_at <= later(now, -receipt_seconds):
        return refuse("worker_registration_receipt_expired", members)

    recovered = incarnation.recovered_workflow_task_count
    if incarnation.status == "active":
        assert registration is not None
        recovered = expire_worker_leases(session, namespace, worker_id, now)
        if release_sticky_holds(session, token, now):
            hints = "," + ready_hint("workflow", namespace, registration.task_queue)
        session.execute(
            "delete from worker_registrations where namespace = ? and worker_id = ?", (namespace, worker_id)
        )
        session.execute(
            "delete from worker_liveness where namespace = ? and worker_id = ?", (namespace, worker_id)
        )
        session.execute(
            "update worker_incarnations set status = 'deregistered', finished_at = ?,"
            " recovered_workflow_task_count = ? where registration_token = ?",
            (now, recovered, token),
        )

    return Answer(
        "deregistered",
        f'{{"worker_id":{json_string(worker_id)}'
        f',"outcome":"deregistered","recovered_workflow_task_count":{recovered}'
        f"{json_member('registration_token', json_string(registration_token))}}}",
        f'[["due","{now}"]{hints}]',
    )
