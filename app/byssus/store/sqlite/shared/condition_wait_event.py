"""The payload of an event of the condition wait that a run has open.

run     the run as its wait was opened.
Result  authored position, wait id, and the command's key and fingerprint, byte for byte.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.shared.json_members import json_members


def condition_wait_event(run: Run) -> str:
    """The payload of an event of the open condition wait."""
    return (
        f'{{"sequence":{run.open_wait_position}'
        f',"condition_wait_id":"{run.run_id}:w{run.open_wait_position}"{json_members(run.open_wait_fields)}}}'
    )
