"""Lists the runs of a namespace, newest first.

namespace      the namespace.
workflow_type  only runs of this type; None: of all.
status_bucket  only running, completed or failed ones; None: all.
page_size      how many at most.
page_token     the last run id of the page before; None: from the newest.
Outcomes       listed; namespace_not_found.
"""

from __future__ import annotations

import base64

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Run
from byssus.store.sqlite.session import Session, Value
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.run_summary import run_summary

_BUCKETS = ["running", "completed", "failed"]


def list_runs(
    session: Session,
    namespace: str,
    workflow_type: str | None,
    status_bucket: str | None,
    page_size: int,
    page_token: str | None,
) -> Answer:
    """A page of runs, newest first, by type and by status bucket."""
    # Run ids begin with hex digits, so this sorts behind all of them.
    before = "g" if page_token is None else page_token
    if not session.exists("select 1 from namespaces where name = ?", (namespace,)):
        return refuse_missing(session, namespace, "namespace_not_found")

    query = "select * from runs where namespace = ? and run_id < ?"
    values: list[Value] = [namespace, before]
    if workflow_type is not None:
        # In the index a type's runs lie apart by status: of the newest of each, the newest.
        buckets = _BUCKETS if status_bucket is None else [status_bucket]
        query += " and workflow_type = ? and status_bucket = ?"
        values = [value for bucket in buckets for value in (*values, workflow_type, bucket)]
        query = " union all ".join([query] * len(buckets))
    elif status_bucket is not None:
        query, values = query + " and status_bucket = ?", [*values, status_bucket]
    runs = session.every(Run, f"{query} order by run_id desc limit ?", [*values, page_size + 1])
    rows = [_row(session, run) for run in runs[:page_size]]
    token = None
    if len(runs) > page_size:
        token = base64.b64encode(runs[page_size - 1].run_id.encode()).decode()

    return Answer(
        "listed",
        f'{{"workflows":[{",".join(rows)}],"workflow_count":{len(rows)}'
        f',"next_page_token":{json_string(token) or "null"}}}',
        None,
    )


def _row(session: Session, run: Run) -> str:
    memo, search_attributes = session.execute(
        "select memo, search_attributes from run_payloads where run_id = ?", (run.run_id,)
    ).fetchone()
    return (
        f'{{{run_summary(run)},"is_terminal":{"false" if run.closed_at is None else "true"}'
        f',"memo":{memo or "{}"},"search_attributes":{search_attributes or "{}"}}}'
    )
