"""A closed run has left nothing open."""

from __future__ import annotations

from byssus.audit.check import Check


def _left(what: str, sentence: str, view: str, condition: str = "") -> Check:
    return Check(
        f"closed_run.{what}",
        sentence,
        f"""
        select r.namespace, r.workflow_id, x.run_id, r.status, count(*) as number_of_rows
        from {view} as x
        inner join audit_runs as r on x.run_id = r.run_id
        where x.run_id > :after and x.run_id <= :upto and r.closed_at is not null{condition}
        group by r.namespace, r.workflow_id, x.run_id, r.status
        """,
    )


_WAIT = Check(
    "closed_run.open_wait",
    "The run is closed and waits for a condition.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.status, r.open_wait_position
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto
        and r.closed_at is not null and r.open_wait_position is not null
    """,
)

CHECKS = (
    _left("workflow_task", "The run is closed and has a workflow task.", "audit_workflow_tasks"),
    _left(
        "activities",
        "The run is closed and has open activities.",
        "audit_activities",
        " and x.status in ('pending', 'running')",
    ),
    _left("timers", "The run is closed and has pending timers.", "audit_timers"),
    _left("held_events", "The run is closed and events are held for it.", "audit_inbox"),
    _left("affinity", "The run is closed and has an affinity.", "audit_affinities"),
    _WAIT,
)
