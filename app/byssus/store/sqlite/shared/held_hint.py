"""The hint that a queue has a workflow task: one that any worker may claim, or one that is held for a worker.

namespace, task_queue  the queue.
sticky_worker_id  whom it is held for.
held_until        when any worker may claim it.
now               the moment.
Result            one element of an answer's hints: while it is held,
                  ["held",namespace,task_queue,worker,until].
"""

from __future__ import annotations

from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.ready_hint import ready_hint


def held_hint(
    namespace: str, task_queue: str, sticky_worker_id: str | None, held_until: str, now: str
) -> str:
    """A wake-up hint for the pollers of a queue, or for the one worker that a task is held for."""
    if held_until <= now or sticky_worker_id is None:
        return ready_hint("workflow", namespace, task_queue)
    return (
        f'["held",{json_string(namespace)},{json_string(task_queue)},{json_string(sticky_worker_id)}'
        f',"{held_until}"]'
    )
