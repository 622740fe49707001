"""Reads a page of a run's history for a client.

namespace       the namespace.
workflow_id     the workflow.
run_id          its run.
after_sequence  the page begins behind this history sequence.
page_size       how many events at most.
Outcomes        page; end_of_page (nothing there yet), end_of_history (nothing will come: the run is closed);
                instance_not_found, run_not_found, namespace_not_found.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.history_page import history_page
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_missing import refuse_missing


def read_history(
    session: Session, namespace: str, workflow_id: str, run_id: str, after_sequence: int, page_size: int
) -> Answer:
    """A page of a run's history."""
    members = f'"workflow_id":{json_string(workflow_id)},"run_id":{json_string(run_id)}'
    run = session.one(
        Run,
        "select * from runs where run_id = ? and namespace = ? and workflow_id = ?",
        (run_id, namespace, workflow_id),
    )
    if run is None:
        known = "select 1 from workflows where namespace = ? and workflow_id = ?"
        reason = "run_not_found" if session.exists(known, (namespace, workflow_id)) else "instance_not_found"
        return refuse_missing(session, namespace, reason, "," + members)

    page = history_page(session, run_id, after_sequence, run.last_history_sequence, page_size)
    outcome = "page"
    if page.last is None:
        outcome = "end_of_page" if run.closed_at is None else "end_of_history"
    return Answer(
        outcome,
        f'{{{members},"events":[{page.events}],"last_history_sequence":{run.last_history_sequence}'
        f',"next_page_token":{json_string(page.token) or "null"}}}',
        None,
    )
