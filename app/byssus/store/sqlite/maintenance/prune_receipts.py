"""Removes recorded answers and ended registrations that are too old to be asked for again.

And counts that no metric looks at any more.

batch_size       how many answers and registrations at most; of the counts, which are small, twenty
                 times that.
receipt_seconds  for how long they are kept.
Outcomes         swept: how many answers and registrations went, and whether there may be more.
Writes           receipts, worker_incarnations, sticky_counts.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.swept import swept


def prune_receipts(session: Session, batch_size: int, receipt_seconds: int) -> Answer:
    """Delete receipts and ended registrations past their retention."""
    now = session.now()
    before = later(now, -receipt_seconds)
    receipts = session.execute(
        "delete from receipts where (run_id, subject) in ("
        "select run_id, subject from receipts where recorded_at < ? order by recorded_at limit ?)",
        (before, batch_size),
    ).rowcount
    incarnations = session.execute(
        "delete from worker_incarnations where registration_token in ("
        "select registration_token from worker_incarnations where finished_at < ?"
        " order by finished_at limit ?)",
        (before, batch_size),
    ).rowcount
    session.execute(
        "delete from sticky_counts where (counted_at, namespace, connection_number) in ("
        "select counted_at, namespace, connection_number from sticky_counts where counted_at < ?"
        " order by counted_at limit ?)",
        (later(now, -120), batch_size * 20),
    )
    return swept(receipts + incarnations, batch_size in (receipts, incarnations), [])
