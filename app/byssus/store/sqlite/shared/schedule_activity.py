"""The command schedule_activity: a pending activity at the run's new authored position.

run      the run, its last authored position already that of this command.
command  the command.
now      the moment.
Result   types, payloads: its events; hint: for its queue; wakes: false.
Writes   activities.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command, text_of
from byssus.store.sqlite.made import Made
from byssus.store.sqlite.moments import earliest, later
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_members import json_members
from byssus.store.sqlite.shared.ready_hint import ready_hint


def schedule_activity(session: Session, run: Run, command: Command, now: str) -> Made:
    """Insert the pending activity of a schedule_activity command and make its event."""
    position = run.last_authored_position
    deadline = later(now, command.schedule_to_close_timeout)
    group_members = json_members(command.group)
    session.execute(
        "insert into activities (run_id, position, namespace, activity_type, task_queue, build_id, priority,"
        " status, available_at, arguments, retry_policy, max_attempts, backoff_seconds,"
        " non_retryable_error_types, schedule_to_start_timeout, start_to_close_timeout, heartbeat_timeout,"
        " schedule_to_close_deadline_at, timeout_at, group_members, group_base, group_size)"
        " values (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            run.run_id,
            position,
            run.namespace,
            command.activity_type,
            command.task_queue,
            run.build_id,
            run.priority,
            now,
            command.arguments,
            command.retry_policy,
            command.max_attempts,
            text_of(command.backoff_seconds) or "[]",
            text_of(command.non_retryable_error_types) or "[]",
            command.schedule_to_start_timeout,
            command.start_to_close_timeout,
            command.heartbeat_timeout,
            deadline,
            earliest(deadline, later(now, command.schedule_to_start_timeout)),
            group_members,
            command.group_base,
            command.group_size,
        ),
    )
    payload = (
        f'{{"sequence":{position},"activity_execution_id":"{run.run_id}:a{position}"'
        f"{json_members(command.fields)}{group_members}}}"
    )
    hint = ready_hint("activity", run.namespace, command.task_queue)
    return Made(["ActivityScheduled"], [payload], hint, wakes=False)
