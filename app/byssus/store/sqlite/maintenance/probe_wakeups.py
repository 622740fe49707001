"""Says what became possible for those who wait: which queues have something to claim, which runs have grown.

The net under lost wake-ups, and the only way to hear of other processes where there is no NOTIFY.

queues    array of ["workflow" or "activity", namespace, task_queue].
runs      array of [run_id, last history sequence that is known].
Outcomes  probed: those of the queues that have a due task, and of the runs that have a longer history.
"""

from __future__ import annotations

import msgspec

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import raw_lists, text_lists, text_of, watched_runs
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.has_ready_activity import has_ready_activity
from byssus.store.sqlite.shared.has_ready_workflow_task import has_ready_workflow_task
from byssus.store.sqlite.shared.json_string import json_string


def probe_wakeups(session: Session, queues: str, runs: str) -> Answer:
    """The queues that have a due task, and the runs whose history is longer than known."""
    now = session.now()
    ready = [text_of(queue) or "" for queue in raw_lists.decode(queues) if _is_ready(session, queue, now)]
    grown = [
        json_string(run_id)
        for run_id, sequence in watched_runs.decode(runs)
        if _has_grown(session, run_id, sequence)
    ]
    return Answer("probed", f'{{"ready":[{",".join(ready)}],"grown":[{",".join(grown)}]}}', None)


def _is_ready(session: Session, queue: msgspec.Raw, now: str) -> bool:
    kind, namespace, task_queue = text_lists.decode(queue)
    has_ready = has_ready_workflow_task if kind == "workflow" else has_ready_activity
    return has_ready(session, namespace, task_queue, now)


def _has_grown(session: Session, run_id: str, sequence: int) -> bool:
    return session.exists(
        "select 1 from runs where run_id = ? and last_history_sequence > ?", (run_id, sequence)
    )
