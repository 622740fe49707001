"""Compares what clients were told with what is stored: whatever was acknowledged is there, once."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from byssus.audit import audit
from tests import invariants
from tests.engines.databases import Database
from tests.invariants import RUN_ENDS, Tables
from tests.traffic.ledger import Fate, Ledger

Document = dict[str, Any]

_ATTEMPT_ENDS = {"ActivityCompleted", "ActivityFailed", "ActivityTimedOut", "ActivityRetryScheduled"}
"""Not the cancellation, which names the attempt before, too, when the next one has not begun."""

_FAILURES = {"failed": "ActivityFailed", "retry_scheduled": "ActivityRetryScheduled"}


@dataclass(frozen=True)
class Stored:
    """What is stored of all runs: their events, and those that are held for them (their payloads)."""

    runs: dict[str, str]
    events: dict[tuple[str, int], Document]
    held: list[tuple[str, Document]]

    def payloads(self, *types: str) -> Iterator[Document]:
        """The payloads of all events of these types, held ones last."""
        yield from (event["payload"] for event in self.events.values() if event["event_type"] in types)
        yield from (payload for event_type, payload in self.held if event_type in types)


def faults(database: Database, tables: Tables, ledger: Ledger) -> list[str]:
    """Everything that is wrong with what a traffic has left behind."""
    stored = _stored(tables)
    return [
        *ledger.faults,
        *_of_audit(database),
        *_of_invariants(tables),
        *_of_starts(stored, ledger),
        *_of_signals(stored, ledger),
        *_of_markers(stored, ledger),
        *_of_attempts(stored, ledger),
        *_of_continuations(stored, ledger),
        *_of_ends(stored, ledger),
        *_of_deliveries(stored, ledger),
    ]


def _stored(tables: Tables) -> Stored:
    return Stored(
        {str(run["run_id"]): str(run["workflow_id"]) for run in tables["runs"]},
        {(row["run_id"], row["sequence"]): json.loads(row["wire"]) for row in tables["history_events"]},
        [(row["event_type"], json.loads(row["payload"])) for row in tables["inbox"]],
    )


def _of_audit(database: Database) -> Iterator[str]:
    for found in audit(database.url).findings:
        if found.count:
            yield f"{found.check.code}: {found.count}, e.g. {found.examples[:3]}"


def _of_invariants(tables: Tables) -> Iterator[str]:
    try:
        invariants.check(tables)
    except AssertionError as broken:
        yield f"invariant: {broken}"


def _of_starts(stored: Stored, ledger: Ledger) -> Iterator[str]:
    started = Counter(ledger.starts.values())
    for run_id, workflow_id in ledger.starts.items():
        if stored.runs.get(run_id) != workflow_id:
            yield f"{workflow_id} was started as {run_id}, which is of {stored.runs.get(run_id)}"
        if started[workflow_id] > 1:
            yield f"{workflow_id} was started {started[workflow_id]} times"


def _of_signals(stored: Stored, ledger: Ledger) -> Iterator[str]:
    arrived: dict[str, list[str]] = defaultdict(list)
    for payload in stored.payloads("SignalReceived"):
        arrived[payload["arguments"]["blob"]].append(payload["signal_id"])
    rejected = Counter(payload["signal_id"] for payload in stored.payloads("SignalRejected"))
    for name, signal in ledger.signals.items():
        ids = arrived.pop(name, [])
        if len(ids) > 1 or (ids and signal.fate is Fate.NEVER):
            yield f"{name} of {signal} arrived as {ids}"
        if signal.signal_id is not None and ids != [signal.signal_id] and not rejected[signal.signal_id]:
            yield f"{name} of {signal} was acknowledged, and arrived as {ids}"
    if arrived:
        yield f"signals that nobody sent: {dict(arrived)}"
    if twice := [name for name, times in rejected.items() if times > 1]:
        yield f"rejected more than once: {twice}"


def _of_markers(stored: Stored, ledger: Ledger) -> Iterator[str]:
    found = Counter(str(payload["result"]) for payload in stored.payloads("SideEffectRecorded"))
    for marker, fate in ledger.markers.items():
        times = found.pop(marker, 0)
        if times > 1 or (times == 1 and fate is Fate.NEVER) or (times == 0 and fate is Fate.ONCE):
            yield f"{marker}, which should be there {fate.name}, is there {times} times"
    if found:
        yield f"side effects that nobody sent: {dict(found)}"


def _of_attempts(stored: Stored, ledger: Ledger) -> Iterator[str]:
    ends: dict[str, list[tuple[str, str | None]]] = defaultdict(list)
    for event_type in _ATTEMPT_ENDS:
        for payload in stored.payloads(event_type):
            if "activity_attempt_id" in payload:
                result = payload["result"]["blob"] if event_type == "ActivityCompleted" else None
                ends[payload["activity_attempt_id"]].append((event_type, result))
    for attempt, ended in ends.items():
        if len(ended) > 1:
            yield f"{attempt} ended more than once: {ended}"
    for attempt, result in ledger.results.items():
        if ends[attempt] != [("ActivityCompleted", result)]:
            yield f"{attempt} was completed with {result}, and ended with {ends[attempt]}"
    for attempt, outcome in ledger.failures.items():
        if ends[attempt] != [(_FAILURES[outcome], None)]:
            yield f"{attempt} has failed ({outcome}), and ended with {ends[attempt]}"


def _of_continuations(stored: Stored, ledger: Ledger) -> Iterator[str]:
    """What was computed from a history is applied to it, with the one event that was to come."""
    completed = {
        event["payload"].get("activity_attempt_id"): event["sequence"]
        for event in stored.events.values()
        if event["event_type"] == "ActivityCompleted"
    }
    for attempt, basis in ledger.bases.items():
        if completed.get(attempt) != basis + 1:
            yield f"{attempt} was continued from {basis}, and completed at {completed.get(attempt)}"


def _of_ends(stored: Stored, ledger: Ledger) -> Iterator[str]:
    ends: dict[str, list[str]] = defaultdict(list)
    for (run_id, _), event in stored.events.items():
        if event["event_type"] in RUN_ENDS:
            ends[run_id].append(event["event_type"])
    for run_id, end in ledger.ends.items():
        if ends[run_id] != [end]:
            yield f"{run_id} was ended by {end}, and ends with {ends[run_id]}"


def _of_deliveries(stored: Stored, ledger: Ledger) -> Iterator[str]:
    for key, event in ledger.events.items():
        if stored.events.get(key) != event:
            yield f"{key} was delivered as {event}, and is stored as {stored.events.get(key)}"
