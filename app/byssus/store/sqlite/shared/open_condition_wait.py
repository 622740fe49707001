"""The command open_condition_wait: workflow code waits until its condition is true, or for a time.

run      the run, its last authored position already that of this command.
command  the command.
now      the moment.
Result   types, payloads: its events; hint: when its timeout is due, or None; wakes: whether the wait is over
         at once, because its timeout is 0.
Writes   timers.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.made import Made
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_members import json_members


def open_condition_wait(session: Session, run: Run, command: Command, now: str) -> Made:
    """Make the events of an open_condition_wait command and the timer of its timeout."""
    position = run.last_authored_position
    timeout = command.timeout_seconds
    members = f',"condition_wait_id":"{run.run_id}:w{position}"{json_members(command.fields)}'
    payload = f'{{"sequence":{position}{members}}}'
    if timeout is None:
        return Made(["ConditionWaitOpened"], [payload], None, wakes=False)
    if timeout == 0:
        return Made(["ConditionWaitOpened", "ConditionWaitTimedOut"], [payload, payload], None, wakes=True)

    fire_at = later(now, timeout)
    members = (
        f',"timer_id":"{run.run_id}:t{position}","timer_kind":"condition_timeout","delay_seconds":{timeout}'
        f'{members},"fire_at":"{fire_at}"'
    )
    session.execute(
        "insert into timers (run_id, position, kind, fire_at, event_members)"
        " values (?, ?, 'condition_timeout', ?, ?)",
        (run.run_id, position, fire_at, members),
    )
    return Made(
        ["ConditionWaitOpened", "TimerScheduled"],
        [payload, f'{{"sequence":{position}{members}}}'],
        f'["due","{fire_at}"]',
        wakes=False,
    )
