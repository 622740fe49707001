"""The hint that a queue has something to claim.

kind          workflow or activity.
namespace     the queue's namespace.
task_queue    the queue.
available_at  when it can be claimed; None: at once.
Result        one element of an answer's hints.
"""

from __future__ import annotations

from byssus.store.sqlite.shared.json_string import json_string


def ready_hint(kind: str, namespace: str, task_queue: str, available_at: str | None = None) -> str:
    """A wake-up hint for the pollers of a task queue."""
    when = "" if available_at is None else f',"{available_at}"'
    return f'["{kind}",{json_string(namespace)},{json_string(task_queue)}{when}]'
