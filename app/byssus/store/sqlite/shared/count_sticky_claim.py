"""Counts how a claim was routed.

namespace    the namespace.
mode         the claim's replay mode.
after        the sequence that its history begins behind; 0: full history.
bytes_saved  the size of the history that a suffix leaves out.
now          the moment.
Writes       sticky_counts.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session


def count_sticky_claim(
    session: Session, namespace: str, mode: str, after: int, bytes_saved: int, now: str
) -> None:
    """Count a claim by its replay mode, and what its suffix left out."""
    session.execute(
        "insert into sticky_counts (namespace, counted_at, connection_number, hit_expected,"
        " forced_cold_replay, cold_replay, suffix_tasks, suffix_events_saved, suffix_bytes_saved)"
        " values (?, ?, 0, ?, ?, ?, ?, ?, ?)"
        " on conflict (counted_at, namespace, connection_number) do update"
        " set hit_expected = hit_expected + excluded.hit_expected,"
        " forced_cold_replay = forced_cold_replay + excluded.forced_cold_replay,"
        " cold_replay = cold_replay + excluded.cold_replay,"
        " suffix_tasks = suffix_tasks + excluded.suffix_tasks,"
        " suffix_events_saved = suffix_events_saved + excluded.suffix_events_saved,"
        " suffix_bytes_saved = suffix_bytes_saved + excluded.suffix_bytes_saved",
        (
            namespace,
            _second_of(now),
            mode == "sticky_hit_expected",
            mode == "forced_cold_replay",
            mode == "cold_replay",
            after > 0,
            after,
            bytes_saved if after > 0 else 0,
        ),
    )


def _second_of(moment: str) -> str:
    return f"{moment[:19]}.000000Z"
