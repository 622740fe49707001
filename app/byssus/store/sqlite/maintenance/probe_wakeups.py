"""Says what became possible for those who wait: which queues have something to claim, which runs have grown.

The net under lost wake-ups, and the only way to hear of other processes where there is no NOTIFY.

queues        array of ["workflow" or "activity", namespace, task_queue].
runs          array of [run_id, last history sequence that is known].
hold_seconds  the longest hold on a workflow task.
Outcomes      probed: ready: those of the queues that have a due task which any worker may claim; held:
              ["workflow", namespace, task_queue, worker_id] of workers that a due task is held for, at most
              100 of a queue; grown: those of the runs that have a longer history.
"""

from __future__ import annotations

import msgspec

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import raw_lists, text_lists, text_of, watched_runs
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.has_ready_activity import has_ready_activity
from byssus.store.sqlite.shared.has_ready_workflow_task import has_ready_workflow_task
from byssus.store.sqlite.shared.json_string import json_string


def probe_wakeups(session: Session, queues: str, runs: str, hold_seconds: int) -> Answer:
    """The queues with a due task, the workers that tasks are held for, and the runs with a longer history."""
    now = session.now()
    asked = raw_lists.decode(queues)
    ready = [text_of(queue) or "" for queue in asked if _is_ready(session, queue, now)]
    held = [hold for queue in asked for hold in _held(session, queue, now, hold_seconds)]
    grown = [
        json_string(run_id)
        for run_id, sequence in watched_runs.decode(runs)
        if _has_grown(session, run_id, sequence)
    ]
    return Answer(
        "probed",
        f'{{"ready":[{",".join(ready)}],"held":[{",".join(held)}],"grown":[{",".join(grown)}]}}',
        None,
    )


def _is_ready(session: Session, queue: msgspec.Raw, now: str) -> bool:
    kind, namespace, task_queue = text_lists.decode(queue)
    if kind == "workflow":
        return has_ready_workflow_task(session, namespace, task_queue, now, 0)
    return has_ready_activity(session, namespace, task_queue, now)


def _held(session: Session, queue: msgspec.Raw, now: str, hold_seconds: int) -> list[str]:
    """The workers that due tasks of a queue are held for, as elements of the answer."""
    kind, namespace, task_queue = text_lists.decode(queue)
    if kind != "workflow" or hold_seconds <= 0:
        return []
    _, namespace_text, queue_text = map(text_of, raw_lists.decode(queue))
    workers = session.execute(
        "select sticky_worker_id from workflow_tasks"
        " where namespace = ? and task_queue = ? and status = 'ready'"
        " and priority in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9) and held_until > ? and held_until <= ?"
        " and available_at <= ? order by priority, held_until, run_id limit 100",
        (namespace, task_queue, now, later(now, hold_seconds), now),
    ).fetchall()
    return [
        f'["workflow",{namespace_text},{queue_text},{json_string(worker_id)}]'
        for worker_id in sorted({worker_id for (worker_id,) in workers})
    ]


def _has_grown(session: Session, run_id: str, sequence: int) -> bool:
    return session.exists(
        "select 1 from runs where run_id = ? and last_history_sequence > ?", (run_id, sequence)
    )
