"""Forgets which worker holds a run in its cache: the run has closed, or its worker retained nothing.

run_id  the run.
Writes  affinities.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session


def clear_affinity(session: Session, run_id: str) -> None:
    """Remove the affinity of a run."""
    session.execute("delete from affinities where run_id = ?", (run_id,))
