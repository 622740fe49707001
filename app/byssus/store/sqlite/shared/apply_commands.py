"""Applies the commands of a leased workflow task whose fence and positions have been checked.

An open condition wait is resolved first: that workflow code goes on means that it was satisfied, even when
the same wait is then opened again. Each command's events follow in order, each at the next authored position.

run       the run.
task      its leased task.
commands  the commands.
now       the moment.
Result    outcome completed.
Writes    runs, history_events, workflow_tasks, activities, timers, inbox, run_payloads; workflows and a new
          run.
"""

from __future__ import annotations

from dataclasses import replace

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.made import Made
from byssus.store.sqlite.rows import Run, WorkflowTask
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.condition_wait_event import condition_wait_event
from byssus.store.sqlite.shared.finish_run import finish_run
from byssus.store.sqlite.shared.keeps_open_wait import keeps_open_wait
from byssus.store.sqlite.shared.open_condition_wait import open_condition_wait
from byssus.store.sqlite.shared.record_local_activity import record_local_activity
from byssus.store.sqlite.shared.record_side_effect import record_side_effect
from byssus.store.sqlite.shared.schedule_activity import schedule_activity
from byssus.store.sqlite.shared.start_timer import start_timer
from byssus.store.sqlite.shared.suspend_run import suspend_run


def apply_commands(
    session: Session, run: Run, task: WorkflowTask, commands: list[Command], now: str
) -> Answer:
    """Apply the commands of a workflow task: their rows and events, and what becomes of the run."""
    keeps_wait = keeps_open_wait(run, commands)
    types: list[str] = []
    payloads: list[str] = []
    hints = [f'["run","{run.run_id}"]']
    wakes = False
    terminal: Command | None = None

    run = replace(run, open_wait_has_news=keeps_wait and run.open_wait_has_news)
    if run.open_wait_position is not None and not keeps_wait:
        types.append("ConditionWaitSatisfied")
        payloads.append(condition_wait_event(run))
        session.execute(
            "delete from timers where run_id = ? and position = ?", (run.run_id, run.open_wait_position)
        )
        run.open_wait_position = None
        run.open_wait_fields = None

    for index, command in enumerate(commands):
        place = command.group_position
        if command.type in ("complete_workflow", "fail_workflow", "continue_as_new"):
            terminal = command
        elif (place is not None and place <= run.last_authored_position) or (keeps_wait and index == 0):
            continue
        else:
            run.last_authored_position += 1
            made = _apply(session, run, command, now)
            types += made.types
            payloads += made.payloads
            hints += [] if made.hint is None else [made.hint]
            wakes = wakes or made.wakes

    assert task.claimed_sequence is not None
    run.applied_through_sequence = task.claimed_sequence
    if terminal is not None:
        return finish_run(session, run, task, terminal, now, types, payloads)
    return suspend_run(session, run, task, now, types, payloads, hints, wakes)


def _apply(session: Session, run: Run, command: Command, now: str) -> Made:
    """Apply one command that takes an authored position, the run's last."""
    match command.type:
        case "schedule_activity":
            return schedule_activity(session, run, command, now)
        case "start_timer":
            return start_timer(session, run, command, now)
        case "open_condition_wait":
            made = open_condition_wait(session, run, command, now)
            run.open_wait_position = None if made.wakes else run.last_authored_position
            run.open_wait_fields = None if made.wakes else command.fields
            return made
        case "record_side_effect":
            return record_side_effect(run, command)
        case "record_local_activity":
            return record_local_activity(run, command)
    raise ValueError(f"unknown command type {command.type!r}")
