"""Empties a run's inbox into two lists that the caller appends to history.

A held timeout of a wait that is no longer open has come too late and is dropped: a wait is resolved once.

run_id         the run.
wait_position  the condition wait that is open now, or None.
Result         types, payloads: the events, in order of arrival; wakes: whether workflow code has to look
               at them; has_signals: whether there are signals among them; resolves_wait: whether one resolved
               the open wait.
Writes         inbox.
"""

from __future__ import annotations

from typing import NamedTuple

from byssus.store.sqlite.session import Session


class HeldEvents(NamedTuple):
    """What was held."""

    types: list[str]
    payloads: list[str]
    wakes: bool
    has_signals: bool
    resolves_wait: bool


def take_held_events(session: Session, run_id: str, wait_position: int | None) -> HeldEvents:
    """Take the events that were held while a workflow task was leased, in order of arrival."""
    held = session.execute(
        "select kind, event_type, payload, wakes from inbox"
        " where run_id = ? and (kind <> 'condition_timeout' or wait_position = ?) order by arrival",
        (run_id, wait_position),
    ).fetchall()
    session.execute("delete from inbox where run_id = ?", (run_id,))
    return HeldEvents(
        types=[event_type for _, event_type, _, _ in held],
        payloads=[payload for _, _, payload, _ in held],
        wakes=any(wakes for _, _, _, wakes in held),
        has_signals=any(kind == "signal" for kind, _, _, _ in held),
        resolves_wait=any(kind == "condition_timeout" for kind, _, _, _ in held),
    )
