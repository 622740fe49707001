"""Commands that wait: for a time, or for the workflow's own condition."""

from __future__ import annotations

import msgspec

from byssus.errors import invalid
from byssus.http.commands.groups import group_members
from byssus.http.commands.members import Document, decoder
from byssus.http.documents import present, verbatim
from byssus.http.validation import Identifier, SecondsFromZero, decode


class StartTimer(msgspec.Struct):
    """Wait for a time."""

    delay_seconds: SecondsFromZero


class OpenConditionWait(msgspec.Struct):
    """Wait until the workflow's own condition holds."""

    condition_key: Identifier | None = None
    condition_definition_fingerprint: Identifier | None = None
    timeout_seconds: SecondsFromZero | None = None


def start_timer(command: msgspec.Raw, at: str) -> Document:
    """For how long a timer waits."""
    timer = decode(_timers, command, at)
    members: Document = {"delay_seconds": timer.delay_seconds}
    return {"fields": verbatim(members), **members, **group_members(command, at)}


def open_condition_wait(command: msgspec.Raw, at: str) -> Document:
    """What a condition is known by, and how long it is waited for."""
    wait = decode(_waits, command, at)
    if group_members(command, at):
        raise invalid(at + "parallel_group_path", "must not be given for a condition wait")
    members = present(
        {
            "condition_key": wait.condition_key,
            "condition_definition_fingerprint": wait.condition_definition_fingerprint,
            "timeout_seconds": wait.timeout_seconds,
        }
    )
    return {"fields": verbatim(members), **members}


_timers = decoder(StartTimer)
_waits = decoder(OpenConditionWait)
