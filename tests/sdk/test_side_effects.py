"""Values that workflow code makes once and remembers, and histories that grow long by them."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import decoded, of_type
from tests.sdk.rig import Rig

PAGE = 500
"""The page of history that the SDK's worker asks for."""


@activity.defn(name="effects.echo")
def echo(value: int) -> int:
    return value


async def test_a_side_effect_happens_once_however_often_it_is_replayed(rig: Rig) -> None:
    made: list[int] = []

    def make() -> int:
        made.append(len(made))
        return len(made)

    @workflow.defn(name="effects.once")
    class Once:
        def run(self, ctx: WorkflowContext) -> Generator[Any, Any, list[int]]:
            first = yield ctx.side_effect(make)
            echoed = yield ctx.schedule_activity("effects.echo", [first])
            second = yield ctx.side_effect(make)
            yield ctx.schedule_activity("effects.echo", [second])
            return [first, echoed, second]

    async with rig.worker([Once], [echo]):
        handle = await rig.start(Once)
        assert await rig.result(handle) == [1, 1, 2]
    assert len(made) == 2
    recorded = of_type(await rig.history(handle), "SideEffectRecorded")
    assert [decoded(event["payload"], "result") for event in recorded] == [1, 2]


@workflow.defn(name="effects.many")
class ManyEffects:
    def run(self, ctx: WorkflowContext, rounds: int, times: int) -> Generator[Any, Any, list[int]]:
        totals: list[int] = []
        for _ in range(rounds):
            total = 0
            for number in range(times):
                total += yield ctx.side_effect(partial(abs, number))
            totals.append((yield ctx.schedule_activity("effects.echo", [total])))
        return totals


async def test_a_worker_reads_a_long_history_page_by_page(rig: Rig) -> None:
    """Its second task has two pages to read, its third has three; the first comes with the task."""
    times = PAGE + 50
    pages_before = _pages_read(rig)
    async with rig.worker([ManyEffects], [echo]):
        handle = await rig.start(ManyEffects, 2, times)
        assert await rig.result(handle) == [sum(range(times))] * 2
    assert _pages_read(rig) - pages_before == 1 + 2

    events = await rig.history(handle, page_size=100)
    assert [event["sequence"] for event in events] == list(range(1, 2 * times + 7))
    assert events == await rig.history(handle, page_size=1000)


def _pages_read(rig: Rig) -> int:
    return rig.server.log.read_text().count('"transition":"read_history_page","outcome":"page"')
