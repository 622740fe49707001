"""The command start_timer: a pending timer at the run's new authored position.

run      the run, its last authored position already that of this command.
command  the command.
now      the moment.
Result   types, payloads: its events; hint: when it is due; wakes: false.
Writes   timers.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.made import Made
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_members import json_members


def start_timer(session: Session, run: Run, command: Command, now: str) -> Made:
    """Insert the timer of a start_timer command and make its event."""
    position = run.last_authored_position
    fire_at = later(now, command.delay_seconds)
    members = (
        f',"timer_id":"{run.run_id}:t{position}"{json_members(command.fields)}'
        f',"fire_at":"{fire_at}"{json_members(command.group)}'
    )
    session.execute(
        "insert into timers (run_id, position, kind, fire_at, event_members, group_base, group_size)"
        " values (?, ?, 'timer', ?, ?, ?, ?)",
        (run.run_id, position, fire_at, members, command.group_base, command.group_size),
    )
    return Made(
        ["TimerScheduled"], [f'{{"sequence":{position}{members}}}'], f'["due","{fire_at}"]', wakes=False
    )
