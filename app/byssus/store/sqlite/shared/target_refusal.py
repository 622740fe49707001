"""Why a client's command may not act on the run that it means.

run          the run, or None.
namespace    the namespace of the command.
workflow_id  its workflow.
run_id       the run the client named; None: the current one.
Result       instance_not_found, run_not_found, namespace_not_found, historical_run_command_rejected or
             run_not_active; None when it may.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing


def target_refusal(
    session: Session, run: Run | None, namespace: str, workflow_id: str, run_id: str | None
) -> Answer | None:
    """The refusal of a command on a run that is missing, not current, or closed; or None."""
    found = None if run is None else run.run_id
    members = (
        f',"workflow_id":{json_string(workflow_id)}'
        + json_member("run_id", json_string(found if run_id is None else run_id))
        + ',"command_status":"rejected","command_source":"control_plane"'
        f',"target_scope":"{"instance" if run_id is None else "run"}"'
    )
    if run is None:
        known = "select 1 from workflows where namespace = ? and workflow_id = ?"
        if session.exists(known, (namespace, workflow_id)):
            return refuse("run_not_found", members)
        return refuse_missing(session, namespace, "instance_not_found", members)
    if run.continued_to_run_id is not None:
        return refuse("historical_run_command_rejected", members + ',"outcome":"rejected_not_current"')
    if run.closed_at is not None:
        return refuse(
            "run_not_active",
            f'{members},"run_status":"{run.status}"'
            ',"is_terminal":true,"outcome":"rejected_not_active","rejection_reason":"run_not_active"',
        )
    return None
