"""The one way into history: gives events the run's next sequence numbers and stores them in wire form.

run_id    the run.
sequence  the last history sequence as the caller remembers it.
now       when the events are recorded.
types     event types, in order.
payloads  payloads: JSON objects, one per type.
Result    the run's new last sequence, for the caller to remember.
Errors    IntegrityError BY003 when the run is not where the caller remembers it.
Writes    runs, then history_events.
"""

from __future__ import annotations

import sqlite3

from byssus.store.sqlite.session import Session


def append_history(
    session: Session, run_id: str, sequence: int, now: str, types: list[str], payloads: list[str]
) -> int:
    """Append events to a run's history and return its new last sequence."""
    if not types:
        return sequence

    last = sequence + len(types)
    size = sum(len(text.encode()) for texts in (types, payloads) for text in texts)
    advanced = session.execute(
        "update runs set last_history_sequence = ?, history_size_bytes = history_size_bytes + ?,"
        " last_progress_at = ? where run_id = ? and last_history_sequence = ?",
        (last, size, now, run_id, sequence),
    )
    if advanced.rowcount != 1:
        raise sqlite3.IntegrityError(f"BY003: history of run {run_id} does not end at {sequence}")

    wires = (
        f'{{"id":"{run_id}:e{number}","sequence":{number},"event_type":"{event_type}"'
        f',"payload":{payload},"recorded_at":"{now}"}}'
        for number, event_type, payload in zip(range(sequence + 1, last + 1), types, payloads, strict=True)
    )
    session.executemany(
        "insert into history_events (run_id, sequence, event_type, recorded_at, wire) values (?, ?, ?, ?, ?)",
        [
            (run_id, number, event_type, now, wire)
            for number, event_type, wire in zip(range(sequence + 1, last + 1), types, wires, strict=True)
        ],
    )
    return last
