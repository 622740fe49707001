"""Starts a workflow: its first run, with one ready workflow task. A workflow id is used once.

namespace         the namespace.
workflow_id       the workflow's id.
workflow_type     its type.
task_queue        the queue of its tasks.
duplicate_policy  fail; or use-existing: answer with the current run while it is open.
request_id        repeats of one request get one answer; None: not repeatable.
digest            digest of the request's body.
start             input, business_key, memo, search_attributes, execution_timeout_seconds,
                  run_timeout_seconds, priority, fairness_key, fairness_weight, build_id.
Outcomes          started_new, returned_existing_active; instance_already_started, workflow_type_mismatch,
                  request_id_conflict, namespace_not_found.
Writes            workflows; through open_run runs, run_payloads, history_events, workflow_tasks.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import starts
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import NewRun, RunPayloads
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.answer_existing_workflow import answer_existing_workflow
from byssus.store.sqlite.shared.new_run_id import new_run_id
from byssus.store.sqlite.shared.open_run import open_run
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.started_body import started_body


def start_run(
    session: Session,
    namespace: str,
    workflow_id: str,
    workflow_type: str,
    task_queue: str,
    duplicate_policy: str,
    request_id: str | None,
    digest: str,
    start: str,
) -> Answer:
    """Start a workflow under an unused id, or answer for the one that is there."""
    now = session.now()
    if not session.exists("select 1 from namespaces where name = ?", (namespace,)):
        return refuse_missing(session, namespace, "namespace_not_found")

    run_id = new_run_id(now)
    taken = session.execute(
        "insert into workflows (namespace, workflow_id, workflow_type, first_run_id, current_run_id,"
        " start_request_id, start_digest) values (?, ?, ?, ?, ?, ?, ?)"
        " on conflict (namespace, workflow_id) do nothing",
        (namespace, workflow_id, workflow_type, run_id, run_id, request_id, digest),
    )
    if taken.rowcount == 0:
        return answer_existing_workflow(
            session, namespace, workflow_id, workflow_type, duplicate_policy, request_id, digest
        )

    document = starts.decode(start)
    run = NewRun(
        run_id=run_id,
        namespace=namespace,
        workflow_id=workflow_id,
        run_number=1,
        first_run_id=run_id,
        workflow_type=workflow_type,
        task_queue=task_queue,
        build_id=document.build_id,
        priority=document.priority,
        fairness_key=document.fairness_key,
        fairness_weight=document.fairness_weight,
        business_key=document.business_key,
        continued_from_run_id=None,
        execution_timeout_seconds=document.execution_timeout_seconds,
        run_timeout_seconds=document.run_timeout_seconds,
        execution_deadline_at=later(now, document.execution_timeout_seconds),
        run_deadline_at=later(now, document.run_timeout_seconds),
    )
    payloads = RunPayloads(
        run_id,
        input=document.input,
        output=None,
        memo=document.memo,
        search_attributes=document.search_attributes,
    )
    hints = open_run(session, run, payloads, now)

    body = started_body(namespace, workflow_id, run_id, workflow_type, "pending", "started_new")
    return Answer("started_new", body + "}", f"[{hints}]")
