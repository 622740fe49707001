"""The official worker with its own cache: the server gives it all that its check of cached prefixes reads."""

from __future__ import annotations

import durable_workflow
import pytest

from tests.sdk.rig import Rig
from tests.worker.at_work import at_work
from tests.worker.traffic import WHOLE_HISTORY_TOKEN
from tests.worker.workloads import Parallel, Sequential

OFFICIAL = durable_workflow.Worker


async def test_the_official_worker_hits_its_cache(rig: Rig) -> None:
    async with at_work(rig, of=OFFICIAL) as work:
        handle = await rig.start(Sequential, 5, 1)
        assert await rig.result(handle) == [0, 2, 4, 6, 8]
        metrics = work.worker.sticky_cache_metrics()
    assert (metrics["hit"], metrics["miss"], metrics["forced_cold_replay"]) == (6, 1, 0)
    deliveries = work.traffic.deliveries()
    assert [each.mode for each in deliveries] == ["cold_replay"] + 6 * ["sticky_hit_expected"]
    for each in deliveries:
        last = len(each.sequences)
        assert each.sequences == list(range(1, last + 1))
        assert each.task["last_history_sequence"] == each.task["total_history_events"] == last
        assert "history_after_sequence" not in each.task
        assert "history_last_sequence" not in each.task


async def test_a_page_token_of_an_earlier_task_goes_on_where_it_ended(rig: Rig) -> None:
    async with at_work(rig, of=OFFICIAL) as work:
        handle = await rig.start(Parallel, 260)
        assert await rig.result(handle) == sum(range(0, 522, 2))
        metrics = work.worker.sticky_cache_metrics()
    assert (metrics["hit"], metrics["forced_cold_replay"]) == (2, 0)
    _, second, third = work.traffic.deliveries()
    token = second.task["next_history_page_token"]
    assert [page.request["next_history_page_token"] for page in second.pages] == [token]
    assert [page.request["next_history_page_token"] for page in third.pages] == [token]
    assert token != WHOLE_HISTORY_TOKEN
    assert third.sequences == list(range(1, third.task["last_history_sequence"] + 1))


@pytest.mark.parametrize("capacity", [0, 10])
async def test_a_worker_of_either_kind_finishes_what_the_other_began(rig: Rig, capacity: int) -> None:
    async with at_work(rig, of=OFFICIAL, sticky_cache_capacity=capacity):
        handle = await rig.start(Sequential, 2, 2)
        async with at_work(rig):
            assert await rig.result(handle) == [0, 2]
