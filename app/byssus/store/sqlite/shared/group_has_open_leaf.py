"""Whether a parallel group still waits for one of its leaves. Workflow code goes on only when all have ended.

run_id  the run.
base    the authored position of the outermost group's first leaf; None for what is in no group.
size    its number of leaves.
Result  true while an activity or a timer of the group is open.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session


def group_has_open_leaf(session: Session, run_id: str, base: int | None, size: int | None) -> bool:
    """True while a parallel group has a leaf that has not ended."""
    if base is None or size is None:
        return False
    return session.exists(
        "select 1 from activities where run_id = ?1 and position between ?2 and ?3 and closed_at is null"
        " union all select 1 from timers where run_id = ?1 and position between ?2 and ?3",
        (run_id, base, base + size - 1),
    )
