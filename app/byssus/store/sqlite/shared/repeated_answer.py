"""What a repeated request gets: the recorded answer, or a refusal to another request under the same name.

run_id    the run, or None.
subject   what was answered (see receipts); None for a request that cannot be repeated.
caller    who calls.
digest    digest of the request's body.
conflict  the reason when the body or the caller is another one.
members   members of that refusal, with a leading comma.
Result    None when nothing was answered yet.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Receipt
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.refuse import refuse


def repeated_answer(
    session: Session,
    run_id: str | None,
    subject: str | None,
    caller: str,
    digest: str,
    conflict: str,
    members: str,
) -> Answer | None:
    """The recorded answer to a repeated request, or a refusal when its body differs."""
    if run_id is None or subject is None:
        return None
    receipt = session.one(
        Receipt, "select * from receipts where run_id = ? and subject = ?", (run_id, subject)
    )
    if receipt is None:
        return None
    if receipt.caller == caller and receipt.digest == digest:
        return Answer(receipt.outcome, receipt.body, None)
    return refuse(conflict, members)
