"""`byssus demo`: a sample workflow through the official SDK, and its history as a timeline."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from durable_workflow import Client
    from durable_workflow.client import WorkflowHandle

ORDER = {"item": "sea silk scarf", "quantity": 1, "price": "90.00"}
TIMEOUT_SECONDS = 60.0
TOKEN_FILE = Path("var/token")

_COLOURS = {
    "Completed": "green",
    "Fired": "green",
    "Satisfied": "green",
    "Failed": "red",
    "RetryScheduled": "yellow",
    "Received": "magenta",
    "Applied": "magenta",
}
_DETAILS = {
    "workflow_type": "{}",
    "activity_type": "{}",
    "condition_key": "{}",
    "signal_name": "{}",
    "delay_seconds": "{} s",
    "attempt_number": "attempt {}",
    "message": "{}",
}


@click.command()
@click.option("--url", default="http://127.0.0.1:8080", show_default=True, help="Where a server is.")
@click.option(
    "--token", envvar="DW_AUTH_TOKEN", help="Default: DW_AUTH_TOKEN, or what scripts/dev keeps in var/token."
)
@click.option("--worker-token", envvar="DW_WORKER_TOKEN", help="For a server that has a token per role.")
@click.option("--namespace", default="default", show_default=True)
def demo(url: str, token: str | None, worker_token: str | None, namespace: str) -> None:
    """Run a sample order workflow with the official SDK and print its history."""
    try:
        import httpx
        from durable_workflow import Client
        from durable_workflow.errors import DurableWorkflowError
    except ModuleNotFoundError as error:
        raise click.ClickException("The demo needs the SDK: pip install 'byssus[demo]'") from error
    # The SDK logs each failed attempt with its traceback; the timeline shows them.
    logging.getLogger("durable_workflow").setLevel(logging.CRITICAL)
    console = Console()

    async def run() -> None:
        known = token or _kept_token()
        async with Client(url, token=known, worker_token=worker_token, namespace=namespace) as client:
            await _run_order(client, console)

    try:
        asyncio.run(run())
    except (DurableWorkflowError, httpx.HTTPError, TimeoutError) as error:
        raise click.ClickException(f"{url}: {str(error) or type(error).__name__}") from error


def _kept_token() -> str | None:
    return TOKEN_FILE.read_text(encoding="utf-8").strip() if TOKEN_FILE.exists() else None


async def _run_order(client: Client, console: Console) -> None:
    from durable_workflow import Worker

    from byssus.cli import demo_order

    name = f"demo-{uuid.uuid4().hex[:8]}"
    worker = Worker(
        client,
        task_queue=name,
        workflows=[demo_order.Order],
        activities=[demo_order.reserve_stock, demo_order.charge_card, demo_order.ship],
    )
    handle = await client.start_workflow(
        workflow_type="demo.order", workflow_id=name, task_queue=name, input=[ORDER]
    )
    console.print(f"Started workflow {name}; this takes a few seconds.")
    working = asyncio.create_task(worker.run())
    seeing = asyncio.create_task(_see_through(client, handle))
    try:
        await asyncio.wait({working, seeing}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
        result = await seeing
    finally:
        seeing.cancel()
        await worker.stop()
    console.print(_timeline(await _history(client, handle)))
    for step, outcome in result.items():
        console.print(f"{step}: {outcome}", highlight=False)


async def _see_through(client: Client, handle: WorkflowHandle) -> dict[str, str]:
    """Approve the order once its workflow waits for that, and wait for its result."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not await _is_waiting(client, handle):  # noqa: ASYNC110 (nothing in this process tells)
            await asyncio.sleep(0.2)
        await client.signal_workflow(handle.workflow_id, "approve", args=["Byssa"])
        result: dict[str, str] = await client.get_result(handle, poll_interval=0.2, timeout=TIMEOUT_SECONDS)
    return result


async def _is_waiting(client: Client, handle: WorkflowHandle) -> bool:
    return any(event["event_type"] == "ConditionWaitOpened" for event in await _history(client, handle))


async def _history(client: Client, handle: WorkflowHandle) -> list[dict[str, Any]]:
    assert handle.run_id is not None
    events: list[dict[str, Any]] = []
    token: str | None = None
    while True:
        page = await client.get_history(handle.workflow_id, handle.run_id, next_page_token=token)
        events += page["events"]
        token = page.get("next_page_token")
        if not token:
            return events


def _timeline(events: list[dict[str, Any]]) -> Table:
    table = Table("#", "seconds", "event", "details", box=None)
    begin = _moment(events[0])
    for event in events:
        seconds = (_moment(event) - begin).total_seconds()
        table.add_row(
            str(event["sequence"]),
            f"{seconds:.3f}",
            event["event_type"],
            _details(event["payload"]),
            style=_colour(event["event_type"]),
        )
    return table


def _moment(event: Mapping[str, Any]) -> datetime:
    return datetime.fromisoformat(event["recorded_at"])


def _details(payload: Mapping[str, Any]) -> str:
    return ", ".join(form.format(payload[name]) for name, form in _DETAILS.items() if name in payload)


def _colour(event_type: str) -> str | None:
    return next((colour for ending, colour in _COLOURS.items() if event_type.endswith(ending)), None)
