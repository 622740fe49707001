"""Finds a command of a parallel group that does not get the authored position it was written for.

A position that the run has already allotted is a command sent again, and in place.

run       the run.
commands  the completion's commands.
Result    the index of the first misplaced command, or None.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.shared.keeps_open_wait import keeps_open_wait


def misplaced_command(run: Run, commands: list[Command]) -> int | None:
    """The index of the first group command out of its authored position, or None."""
    following = run.last_authored_position + 1
    keeps_wait = keeps_open_wait(run, commands)
    for index, command in enumerate(commands):
        position = command.group_position
        if position is not None and position > following:
            return index
        if position is None or position == following:
            takes_position = command.type not in ("complete_workflow", "fail_workflow", "continue_as_new")
            following += takes_position and not (index == 0 and keeps_wait)
    return None
