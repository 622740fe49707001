"""One page of a run's history, in wire form: an index range scan and a concatenation.

run_id     the run.
after      the page begins behind this sequence.
through    and ends here at the latest.
page_size  how many events at most. A page also ends before it passes 4 MiB, but holds one event at least.
Result     events: the events joined by commas; last: the last one's sequence, None on an empty page;
           token: what fetches the next page, None when there is none.
"""

from __future__ import annotations

import base64
from typing import NamedTuple

from byssus.store.sqlite.session import Session

_PAGE_BYTES = 4_194_304


class HistoryPage(NamedTuple):
    """A page of history."""

    events: str
    last: int | None
    token: str | None


def history_page(session: Session, run_id: str, after: int, through: int, page_size: int) -> HistoryPage:
    """A page of history events in wire form, bounded in number and bytes."""
    wires: list[str] = []
    last, size = None, 0
    for sequence, wire, wire_size in session.execute(
        "select sequence, wire, length(cast(wire as blob)) from history_events"
        " where run_id = ? and sequence > ? and sequence <= ? order by sequence limit ?",
        (run_id, after, through, page_size),
    ):
        size += wire_size
        if wires and size > _PAGE_BYTES:
            break
        wires.append(wire)
        last = sequence

    token = None
    if last is not None and last < through:
        token = base64.b64encode(str(last).encode()).decode()
    return HistoryPage(",".join(wires), last, token)
