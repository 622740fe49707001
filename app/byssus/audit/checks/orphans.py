"""Rows that belong to nothing."""

from __future__ import annotations

from byssus.audit.check import Check


def _of_no_run(what: str, sentence: str, view: str, *, has_namespace: bool = False) -> Check:
    """Rows whose run does not exist. Where they do not say it themselves, nobody knows their namespace."""
    namespace = "max(x.namespace)" if has_namespace else "null"
    return Check(
        f"orphan.{what}",
        sentence,
        f"""
        select o.*
        from (
            select {namespace} as namespace, x.run_id, count(*) as number_of_rows
            from {view} as x
            where x.run_id > :after and x.run_id <= :upto
            group by x.run_id
        ) as o
        where not exists (select 1 from audit_runs as r where r.run_id = o.run_id)
        """,
    )


_RUN = Check(
    "orphan.run",
    "The run belongs to no workflow.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.run_number
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto
        and not exists (
            select 1 from audit_workflows as w
            where w.namespace = r.namespace and w.workflow_id = r.workflow_id
        )
    """,
)

_WORKFLOW = Check(
    "orphan.workflow",
    "The workflow belongs to a namespace that does not exist.",
    """
    select w.namespace, w.workflow_id
    from audit_workflows as w
    where not exists (select 1 from audit_namespaces as n where n.name = w.namespace)
    """,
    by_run=False,
)

_LIVENESS = Check(
    "orphan.liveness",
    "There are signs of life of a worker that is not registered.",
    """
    select l.namespace, l.worker_id, l.last_heartbeat_at
    from audit_liveness as l
    where not exists (
        select 1 from audit_workers as w where w.namespace = l.namespace and w.worker_id = l.worker_id
    )
    """,
    by_run=False,
)

CHECKS = (
    _WORKFLOW,
    _RUN,
    _of_no_run("payloads", "There are payloads of a run that does not exist.", "audit_run_payloads"),
    _of_no_run("history", "There is history of a run that does not exist.", "audit_history"),
    _of_no_run(
        "workflow_task",
        "There is a workflow task of a run that does not exist.",
        "audit_workflow_tasks",
        has_namespace=True,
    ),
    _of_no_run(
        "activities",
        "There are activities of a run that does not exist.",
        "audit_activities",
        has_namespace=True,
    ),
    _of_no_run("timers", "There are timers of a run that does not exist.", "audit_timers"),
    _of_no_run("held_events", "Events are held for a run that does not exist.", "audit_inbox"),
    _of_no_run(
        "affinity",
        "There is an affinity to a run that does not exist.",
        "audit_affinities",
        has_namespace=True,
    ),
    _of_no_run("receipts", "There are recorded answers of a run that does not exist.", "audit_receipts"),
    _LIVENESS,
)
