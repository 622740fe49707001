"""Lists the runs of one workflow, oldest first.

namespace     the namespace.
workflow_id   the workflow.
after_number  the page begins behind the run with this number.
page_size     how many at most.
Outcomes      listed; instance_not_found, namespace_not_found.
"""

from __future__ import annotations

import base64

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, Workflow
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.run_summary import run_summary


def list_workflow_runs(
    session: Session, namespace: str, workflow_id: str, after_number: int, page_size: int
) -> Answer:
    """A page of the runs of one workflow, oldest first."""
    workflow = session.one(
        Workflow, "select * from workflows where namespace = ? and workflow_id = ?", (namespace, workflow_id)
    )
    if workflow is None:
        return refuse_missing(
            session, namespace, "instance_not_found", f',"workflow_id":{json_string(workflow_id)}'
        )

    runs = session.every(
        Run,
        "select * from runs where namespace = ? and workflow_id = ? and run_number > ?"
        " order by run_number limit ?",
        (namespace, workflow_id, after_number, page_size),
    )
    rows = ",".join(
        f"{{{run_summary(run)}"
        f',"is_terminal":{"false" if run.closed_at is None else "true"}'
        f',"run_number":{run.run_number}'
        f',"is_current_run":{"true" if run.run_id == workflow.current_run_id else "false"}}}'
        for run in runs
    )
    token = None
    if runs and runs[-1].run_number < workflow.run_count:
        token = base64.b64encode(str(runs[-1].run_number).encode()).decode()

    return Answer(
        "listed",
        f'{{"workflow_id":{json_string(workflow_id)}'
        f',"run_count":{workflow.run_count}'
        f',"runs":[{rows}],"next_page_token":{json_string(token) or "null"}}}',
        None,
    )
