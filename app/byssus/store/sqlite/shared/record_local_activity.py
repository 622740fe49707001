"""The command record_local_activity: an activity that the worker of the workflow task has run itself.

It begins and ends in one breath: nothing is left to be claimed, to time out or to wake the run, so it has no
row. Workflow code already has the result, and goes on in the same task.

run      the run, its last authored position already that of this command.
command  the command.
Result   types, payloads: ActivityScheduled and the event of its outcome; hint: None; wakes: false.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.made import Made
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.shared.json_members import json_members

_ENDS = {
    "completed": "ActivityCompleted",
    "failed": "ActivityFailed",
    "timed_out": "ActivityTimedOut",
    "cancelled": "ActivityCancelled",
}


def record_local_activity(run: Run, command: Command) -> Made:
    """Make the events of a record_local_activity command."""
    position = run.last_authored_position
    identity = f'"sequence":{position},"activity_execution_id":"{run.run_id}:a{position}"'
    payloads = [
        f"{{{identity}{json_members(command.fields)}}}",
        f"{{{identity}{json_members(command.outcome_fields)}}}",
    ]
    return Made(["ActivityScheduled", _ENDS[command.outcome]], payloads, None, wakes=False)
