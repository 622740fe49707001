"""Continues a workflow as a new run.

The old one closes, the new one starts with fresh history, and signals that the old one never saw wait for it.

run      the run as its commands left it.
command  continue_as_new.
now      the moment.
types, payloads  the events of the commands before it.
Result   the wake-up hints of the new run, as elements joined by commas.
Writes   through close_run and open_run; workflows, inbox, runs.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import NewRun, Run, RunPayloads
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.close_run import close_run
from byssus.store.sqlite.shared.new_run_id import new_run_id
from byssus.store.sqlite.shared.open_run import open_run


def continue_run(
    session: Session, run: Run, command: Command, now: str, types: list[str], payloads: list[str]
) -> str:
    """Close a run and open its successor with the same workflow id."""
    new = NewRun(
        run_id=new_run_id(now),
        namespace=run.namespace,
        workflow_id=run.workflow_id,
        run_number=run.run_number + 1,
        first_run_id=run.first_run_id,
        workflow_type=command.workflow_type or run.workflow_type,
        task_queue=command.task_queue,
        build_id=run.build_id,
        priority=run.priority,
        fairness_key=run.fairness_key,
        fairness_weight=run.fairness_weight,
        business_key=run.business_key,
        continued_from_run_id=run.run_id,
        execution_timeout_seconds=run.execution_timeout_seconds,
        run_timeout_seconds=run.run_timeout_seconds,
        execution_deadline_at=run.execution_deadline_at,
        run_deadline_at=later(now, run.run_timeout_seconds),
    )

    session.execute(
        "update inbox set run_id = ? where run_id = ? and kind = 'signal'", (new.run_id, run.run_id)
    )
    close_run(
        session,
        run,
        now,
        "completed",
        "continued",
        types,
        payloads,
        "WorkflowContinuedAsNew",
        f'{{"continued_to_run_id":"{new.run_id}","continued_to_run_number":{new.run_number}}}',
        by_worker=True,
    )

    old = session.one(RunPayloads, "select * from run_payloads where run_id = ?", (run.run_id,))
    assert old is not None
    new_payloads = RunPayloads(new.run_id, command.input, None, old.memo, old.search_attributes)
    hints = open_run(session, new, new_payloads, now)
    session.execute("update runs set continued_to_run_id = ? where run_id = ?", (new.run_id, run.run_id))
    session.execute(
        "update workflows set current_run_id = ?, run_count = ? where namespace = ? and workflow_id = ?",
        (new.run_id, new.run_number, run.namespace, run.workflow_id),
    )
    return hints
