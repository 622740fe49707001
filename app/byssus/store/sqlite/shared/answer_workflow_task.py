"""Answers a leased workflow task whose fence has been checked: what its worker keeps, and its commands.

run           the run.
task          its leased task.
registration  the registration of the task's worker; looked at only with sticky.
commands      the commands.
sticky        sticky_cache (see complete_workflow_task), or None.
now           the moment.
Result        completed; or the refusals of sticky_cache (sticky_refusal), invalid_commands: then nothing was
              written.
Writes        affinities; as apply_commands.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Command, StickyCache
from byssus.store.sqlite.rows import Registration, Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.apply_commands import apply_commands
from byssus.store.sqlite.shared.clear_affinity import clear_affinity
from byssus.store.sqlite.shared.misplaced_command import misplaced_command
from byssus.store.sqlite.shared.record_affinity import record_affinity
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.sticky_refusal import sticky_refusal


def answer_workflow_task(
    session: Session,
    run: Run,
    task: WorkflowTask,
    registration: Registration | None,
    commands: list[Command],
    sticky: StickyCache | None,
    now: str,
) -> Answer:
    """Answer a leased workflow task with what its worker keeps and its commands, or refuse them."""
    if sticky is not None:
        refusal = sticky_refusal(run, task, registration, sticky)
        if refusal is not None:
            return refusal
    misplaced = misplaced_command(run, commands)
    if misplaced is not None:
        return refuse(
            "invalid_commands",
            f',"task_id":"{run.run_id}:k{task.task_number}","workflow_task_attempt":{task.attempt}'
            f',"outcome":"rejected","recorded":false,"command_index":{misplaced}'
            f',"field":"commands.{misplaced}.parallel_group_base_sequence"',
        )

    if sticky is None:
        clear_affinity(session, run.run_id)
    else:
        assert registration is not None
        record_affinity(session, run, task, registration, sticky, now)
    return apply_commands(session, run, task, commands, now)
