"""What a start gets when its workflow id is taken.

namespace, workflow_id  the workflow, which exists.
workflow_type     the type that was to be started.
duplicate_policy  fail or use-existing.
request_id        the request, or None.
digest            digest of its body.
Result            started_new again for a repeated request; returned_existing_active;
                  instance_already_started, workflow_type_mismatch, request_id_conflict.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run, Workflow
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.started_body import started_body


def answer_existing_workflow(
    session: Session,
    namespace: str,
    workflow_id: str,
    workflow_type: str,
    duplicate_policy: str,
    request_id: str | None,
    digest: str,
) -> Answer:
    """Answer a start whose workflow id is taken, by duplicate policy and request id."""
    members = (
        f',"workflow_id":{json_string(workflow_id)}'
        ',"command_status":"rejected","command_source":"control_plane"'
    )
    workflow = session.one(
        Workflow, "select * from workflows where namespace = ? and workflow_id = ?", (namespace, workflow_id)
    )
    assert workflow is not None
    run = session.one(Run, "select * from runs where run_id = ?", (workflow.current_run_id,))
    assert run is not None

    if request_id is not None and workflow.start_request_id == request_id:
        if workflow.start_digest != digest:
            return refuse("request_id_conflict", f'{members},"request_id":{json_string(request_id)}')
        body = started_body(
            namespace, workflow_id, workflow.first_run_id, workflow.workflow_type, "pending", "started_new"
        )
        return Answer("started_new", body + ',"retained":true}', None)

    members += f',"run_id":"{run.run_id}","outcome":"rejected_duplicate"'
    if duplicate_policy == "fail" or run.closed_at is not None:
        return refuse("instance_already_started", members)
    if run.workflow_type != workflow_type:
        return refuse("workflow_type_mismatch", members)
    body = started_body(
        namespace, workflow_id, run.run_id, run.workflow_type, run.status, "returned_existing_active"
    )
    return Answer("returned_existing_active", body + "}", None)
