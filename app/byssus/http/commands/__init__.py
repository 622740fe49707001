"""Workflow commands: checked, and brought into the document that complete_workflow_task reads.

Each command becomes `{"type", "fields", ...}`: `fields` are the members that its event records, as JSON text
in a string, the others are what the transition itself reads. Members that were left out or null stay out;
payloads are copied byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from byssus.errors import Refused, invalid
from byssus.http.commands.activities import schedule_activity
from byssus.http.commands.closing import complete_workflow, continue_as_new, fail_workflow
from byssus.http.commands.local_activities import record_local_activity
from byssus.http.commands.members import Document, decoder
from byssus.http.commands.records import record_side_effect
from byssus.http.commands.waits import open_condition_wait, start_timer
from byssus.http.documents import document
from byssus.http.validation import decode

MAX_COMMANDS = 1000
CONTINUATION_COMMANDS = (
    "schedule_activity",
    "start_timer",
    "record_side_effect",
    "record_local_activity",
    "complete_workflow",
    "fail_workflow",
)


class _Typed(msgspec.Struct):
    type: str


def normalise(commands: list[msgspec.Raw], field: str = "commands") -> str:
    """The commands document; `field` is where the commands stand in the request.

    Refuses commands that are malformed (naming the field) or not carried out here.
    """
    _check_number(commands, field)
    documents: list[Document] = []
    for index, command in enumerate(commands):
        kind = decode(_typed, command, f"{field}.{index}.").type
        if kind == _WAIT and any(earlier["type"] == _WAIT for earlier in documents):
            raise invalid(f"{field}.{index}.type", "a run waits for one condition at a time")
        if kind in _TERMINAL and index < len(commands) - 1:
            raise invalid(f"{field}.{index}.type", f"{kind} ends the run and must be the last command")
        build = _BUILDERS.get(kind)
        if build is None:
            raise _unsupported(kind, f"{field}.{index}.type")
        documents.append({"type": kind, **build(command, f"{field}.{index}.")})
    return document(documents, field)


def normalise_continuation(commands: list[msgspec.Raw]) -> str:
    """The commands document of a continuation.

    One with a command that a continuation cannot have has nothing but types: its transition refuses it.
    """
    field = "continuation.commands"
    _check_number(commands, field)
    kinds = [decode(_typed, command, f"{field}.{index}.").type for index, command in enumerate(commands)]
    if all(kind in CONTINUATION_COMMANDS for kind in kinds):
        return normalise(commands, field)
    return document([{"type": kind[:64]} for kind in kinds], field)


def _check_number(commands: list[msgspec.Raw], field: str) -> None:
    if not commands:
        raise invalid(field, "must not be empty")
    if len(commands) > MAX_COMMANDS:
        raise invalid(field, f"must not be more than {MAX_COMMANDS}")


def _unsupported(kind: str, field: str) -> Refused:
    return Refused(
        "unsupported_workflow_command",
        f"This server does not carry out workflow commands of type {kind[:64]!r}.",
        command_type=kind[:64],
        field=field,
    )


_typed = decoder(_Typed)

_BUILDERS: dict[str, Callable[[msgspec.Raw, str], dict[str, Any]]] = {
    "schedule_activity": schedule_activity,
    "start_timer": start_timer,
    "open_condition_wait": open_condition_wait,
    "record_side_effect": record_side_effect,
    "record_local_activity": record_local_activity,
    "complete_workflow": complete_workflow,
    "fail_workflow": fail_workflow,
    "continue_as_new": continue_as_new,
}
_WAIT = "open_condition_wait"
_TERMINAL = ("complete_workflow", "fail_workflow", "continue_as_new")
SUPPORTED_COMMANDS = tuple(_BUILDERS)
"""The command types that are carried out."""
