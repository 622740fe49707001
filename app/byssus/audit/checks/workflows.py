"""Workflows and the chains of their runs. Each check looks from a run, which is found by its key."""

from __future__ import annotations

from byssus.audit.check import Check

_FIRST_RUN = Check(
    "workflow.first_run",
    "The first run of the workflow, as the workflow and its runs name it, is not the one with number 1.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.run_number, r.first_run_id,
        w.first_run_id as first_run_of_workflow
    from audit_runs as r
    inner join audit_workflows as w on r.namespace = w.namespace and r.workflow_id = w.workflow_id
    where r.run_id > :after and r.run_id <= :upto
        and (r.first_run_id <> w.first_run_id or (r.run_number = 1) <> (r.run_id = w.first_run_id))
    """,
)

_CURRENT_RUN = Check(
    "workflow.current_run",
    "The current run of the workflow is not the last of as many runs as the workflow counts.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.run_number, w.run_count, w.current_run_id
    from audit_runs as r
    inner join audit_workflows as w on r.namespace = w.namespace and r.workflow_id = w.workflow_id
    where r.run_id > :after and r.run_id <= :upto
        and ((r.run_number = w.run_count) <> (r.run_id = w.current_run_id) or r.run_number > w.run_count)
    """,
)

_RUN_NUMBER = Check(
    "workflow.run_numbers",
    "The runs of the workflow are not numbered 1, 2, 3, ...: there is none before this one.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.run_number
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto
        and r.run_number <> 1
        and not exists (
            select 1 from audit_runs as p
            where p.namespace = r.namespace and p.workflow_id = r.workflow_id
                and p.run_number = r.run_number - 1
        )
    """,
)

_CONTINUED_TO = Check(
    "workflow.continued_to",
    "A run that was continued names the next run of its workflow, which names it; no other run names one.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.closed_reason, r.continued_to_run_id
    from audit_runs as r
    left join audit_runs as n on r.continued_to_run_id = n.run_id and r.run_id = n.continued_from_run_id
        and r.namespace = n.namespace and r.workflow_id = n.workflow_id and n.run_number = r.run_number + 1
    where r.run_id > :after and r.run_id <= :upto
        and (
            (coalesce(r.closed_reason, '') = 'continued') <> (r.continued_to_run_id is not null)
            or (r.continued_to_run_id is not null and n.run_id is null)
        )
    """,
)

_CONTINUED_FROM = Check(
    "workflow.continued_from",
    "A run that is not the first of its workflow names the one that it continues, which names it.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.run_number, r.continued_from_run_id
    from audit_runs as r
    left join audit_runs as p on r.continued_from_run_id = p.run_id and r.run_id = p.continued_to_run_id
    where r.run_id > :after and r.run_id <= :upto
        and (
            (r.run_number = 1) <> (r.continued_from_run_id is null)
            or (r.continued_from_run_id is not null and p.run_id is null)
        )
    """,
)

_NO_RUN = Check(
    "workflow.no_run",
    "The workflow has no run.",
    """
    select w.namespace, w.workflow_id, w.run_count, w.current_run_id
    from audit_workflows as w
    where not exists (
        select 1 from audit_runs as r where r.namespace = w.namespace and r.workflow_id = w.workflow_id
    )
    """,
    by_run=False,
)

CHECKS = (_FIRST_RUN, _CURRENT_RUN, _RUN_NUMBER, _CONTINUED_TO, _CONTINUED_FROM, _NO_RUN)
