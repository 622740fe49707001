"""What of a server's offers can be opted into."""

from __future__ import annotations

from typing import Any

import pytest

from byssus.worker.registration import HISTORY_SUFFIX, MERGED_TRANSITIONS, SUPPORT, is_offered


def _information(**capabilities: Any) -> dict[str, Any]:
    return {"worker_protocol": {"server_capabilities": capabilities}}


@pytest.mark.parametrize("name", [HISTORY_SUFFIX, MERGED_TRANSITIONS])
def test_an_offer_is_taken_word_for_word(name: str) -> None:
    assert is_offered(_information(**{name: SUPPORT}), name)
    for other in (None, True, {"supported": False, "version": 1}, {"supported": True, "version": 2}):
        assert not is_offered(_information(**{name: other}), name)
    assert not is_offered({}, name)
    assert not is_offered({"worker_protocol": {"server_capabilities": []}}, name)


def test_nothing_is_merged_where_leases_of_activities_are_renewed() -> None:
    offers = {MERGED_TRANSITIONS: SUPPORT, HISTORY_SUFFIX: SUPPORT}
    assert not is_offered(_information(**offers, activity_lease_renewal=True), MERGED_TRANSITIONS)
    assert is_offered(_information(**offers, activity_lease_renewal=True), HISTORY_SUFFIX)
    assert is_offered(_information(**offers, activity_lease_renewal=False), MERGED_TRANSITIONS)
