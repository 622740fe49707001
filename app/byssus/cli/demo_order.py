"""The sample workflow of `byssus demo`: an order is paid, packed and shipped, whatever goes wrong on the way.

It uses nothing but the official SDK; a worker of your own looks the same.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from durable_workflow import activity, workflow
from durable_workflow.workflow import ActivityRetryPolicy, WorkflowContext

FAILING_ATTEMPTS = 2
PACKING_SECONDS = 2


@activity.defn(name="demo.reserve_stock")
def reserve_stock(order: dict[str, Any]) -> str:
    """Put the goods aside."""
    return f"{order['quantity']} x {order['item']} reserved"


@activity.defn(name="demo.charge_card")
def charge_card(order: dict[str, Any]) -> str:
    """Take the money; the bank cannot be reached at first."""
    attempt = activity.context().info.attempt_number
    if attempt <= FAILING_ATTEMPTS:
        raise ConnectionError("the bank did not answer")
    return f"{order['price']} charged at attempt {attempt}"


@activity.defn(name="demo.ship")
def ship(order: dict[str, Any], approved_by: str) -> str:
    """Hand the parcel over."""
    return f"{order['item']} shipped, approved by {approved_by}"


@workflow.defn(name="demo.order")
class Order:
    """Reserve, charge (retried), wait for packing, wait for approval, ship."""

    def __init__(self) -> None:
        self.approved_by = ""

    @workflow.signal("approve")
    def approve(self, name: str) -> None:
        """Somebody looked at the parcel."""
        self.approved_by = name

    def run(self, ctx: WorkflowContext, order: dict[str, Any]) -> Generator[Any, Any, dict[str, str]]:
        """The order's life; gives what each step said."""
        reserved = yield ctx.schedule_activity("demo.reserve_stock", [order])
        charged = yield ctx.schedule_activity(
            "demo.charge_card",
            [order],
            retry_policy=ActivityRetryPolicy(max_attempts=5, backoff_seconds=[1, 1]),
        )
        yield ctx.sleep(PACKING_SECONDS)
        yield ctx.wait_condition(lambda: self.approved_by != "", key="approved")
        shipped = yield ctx.schedule_activity("demo.ship", [order, self.approved_by])
        return {"reserved": reserved, "charged": charged, "shipped": shipped}
