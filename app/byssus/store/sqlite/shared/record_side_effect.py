"""The command record_side_effect: a value that workflow code must see again at every replay.

run      the run, its last authored position already that of this command.
command  the command.
Result   types, payloads: its event; hint: None; wakes: false.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.made import Made
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.shared.json_members import json_members


def record_side_effect(run: Run, command: Command) -> Made:
    """Make the event of a record_side_effect command."""
    payload = f'{{"sequence":{run.last_authored_position}{json_members(command.fields)}}}'
    return Made(["SideEffectRecorded"], [payload], None, wakes=False)
