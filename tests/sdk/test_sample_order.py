"""The workflow of `byssus demo`, end to end."""

from __future__ import annotations

from byssus.cli import demo_order
from byssus.cli.demo import ORDER
from tests.sdk.histories import of_type, received_signals, seconds_between, types_of
from tests.sdk.rig import Rig

ACTIVITIES = [demo_order.reserve_stock, demo_order.charge_card, demo_order.ship]


async def test_an_order_is_paid_packed_approved_and_shipped(rig: Rig) -> None:
    async with rig.worker([demo_order.Order], ACTIVITIES):
        order = await rig.start(demo_order.Order, ORDER)
        await rig.recorded(order, "ConditionWaitOpened")
        await order.signal("approve", args=["Byssa"])
        result = await rig.result(order)

    assert result == {
        "reserved": "1 x sea silk scarf reserved",
        "charged": "90.00 charged at attempt 3",
        "shipped": "sea silk scarf shipped, approved by Byssa",
    }
    events = await rig.history(order)
    assert types_of(events) == [
        "WorkflowStarted",
        "ActivityScheduled",
        "ActivityCompleted",
        "ActivityScheduled",
        "ActivityRetryScheduled",
        "ActivityRetryScheduled",
        "ActivityCompleted",
        "TimerScheduled",
        "TimerFired",
        "ConditionWaitOpened",
        "SignalReceived",
        "ConditionWaitSatisfied",
        "ActivityScheduled",
        "ActivityCompleted",
        "WorkflowCompleted",
    ]
    assert [event["sequence"] for event in events] == list(range(1, 16))
    assert received_signals(events) == [["Byssa"]]
    completed = of_type(events, "ActivityCompleted")
    assert [event["payload"]["attempt_number"] for event in completed] == [1, 3, 1]
    scheduled, fired = of_type(events, "TimerScheduled", "TimerFired")
    assert seconds_between(scheduled, fired) >= demo_order.PACKING_SECONDS
    retried = of_type(events, "ActivityRetryScheduled")
    assert seconds_between(retried[0], retried[1]) >= 1
