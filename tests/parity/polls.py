"""Polls, as both claims and completions have them."""

from __future__ import annotations

from tests.parity import documents
from tests.parity.callers import Callers
from tests.parity.draw import Draw

PAGE_SIZES = (1000, 1000, 1, 2, 5)


def poll(draw: Draw, callers: Callers, kind: str) -> dict[str, str | int | bool]:
    """A poll of a kind (`workflow` or `activity`), of nobody yet; perhaps under an id used before."""
    callers.polls += 1
    number = draw.number(1, callers.polls) if draw.percent(15) else callers.polls
    poll: dict[str, str | int | bool] = {
        "poll_request_id": documents.name(draw, f"poll {number}"),
        "lease_seconds": draw.of((60, 60, 30, 5)),
    }
    if kind == "workflow":
        poll["page_size"] = draw.of(PAGE_SIZES)
        poll |= {
            "sticky_execution": draw.percent(95),
            "hold_seconds": 5,
            "polling_seconds": draw.of((10, 10, 3)),
        }
    if draw.percent(2):
        poll["build_id"] = draw.of(("build", "Build"))
    return poll
