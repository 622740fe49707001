"""Why a poll may not claim: its worker is unknown, or polls another queue or build than it registered for.

poll          the poll.
registration  the worker's registration, or None.
Result        worker_not_registered, task_queue_mismatch, build_id_mismatch, namespace_not_found; or None.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Poll
from byssus.store.sqlite.rows import Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing


def refuse_poll(session: Session, poll: Poll, registration: Registration | None) -> Answer | None:
    """The refusal of a poll, or None."""
    members = (
        f',"task":null,"poll_status":"rejected","worker_id":{json_string(poll.worker_id)}'
        f',"task_queue":{json_string(poll.task_queue)}'
    )
    if registration is None:
        return refuse_missing(session, poll.namespace, "worker_not_registered", members)
    if registration.task_queue != poll.task_queue:
        return refuse("task_queue_mismatch", members)
    if None not in (registration.build_id, poll.build_id) and registration.build_id != poll.build_id:
        return refuse("build_id_mismatch", members)
    return None
