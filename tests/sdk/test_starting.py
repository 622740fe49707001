"""Starting workflows, and finding them again."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from durable_workflow import workflow
from durable_workflow.errors import InvalidArgument, WorkflowAlreadyStarted, WorkflowNotFound
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import types_of
from tests.sdk.rig import Rig, unique

Steps = Generator[Any, Any, Any]


@workflow.defn(name="starting.echo")
class Echo:
    def run(self, ctx: WorkflowContext, value: Any) -> Steps:
        yield ctx.start_timer(0)
        return value


@workflow.defn(name="starting.other")
class Other:
    def run(self, ctx: WorkflowContext) -> Steps:
        yield ctx.start_timer(0)


async def test_an_id_in_use_is_refused(rig: Rig) -> None:
    handle = await rig.start(Echo, 1)
    with pytest.raises(WorkflowAlreadyStarted):
        await rig.start(Echo, 2, workflow_id=handle.workflow_id)
    async with rig.worker([Echo]):
        assert await rig.result(handle) == 1


async def test_an_id_in_use_can_be_joined_while_its_run_is_open(rig: Rig) -> None:
    handle = await rig.start(Echo, 1)
    same = await rig.start(Echo, 1, workflow_id=handle.workflow_id, duplicate_policy="use-existing")
    assert same.run_id == handle.run_id
    async with rig.worker([Echo]):
        assert await rig.result(same) == 1
    with pytest.raises(WorkflowAlreadyStarted):
        await rig.start(Echo, 1, workflow_id=handle.workflow_id, duplicate_policy="use-existing")
    assert types_of(await rig.history(handle)).count("WorkflowStarted") == 1


async def test_an_id_in_use_is_not_joined_by_another_type(rig: Rig) -> None:
    handle = await rig.start(Echo, 1)
    with pytest.raises(InvalidArgument):
        await rig.start(Other, workflow_id=handle.workflow_id, duplicate_policy="use-existing")


async def test_any_value_goes_through_as_it_is(rig: Rig) -> None:
    values: list[Any] = [None, True, 0, -(2**63), 1.5, "", "\0 \U0001f41a", [[], {}], {"a": [1, None]}]
    async with rig.worker([Echo]):
        for value in values:
            handle = await rig.start(Echo, value)
            assert await rig.result(handle) == value


async def test_a_description_tells_what_was_asked_for(rig: Rig) -> None:
    memo, attributes = {"owner": "Byssa", "parts": [1, 2]}, {"customer": "c-7", "urgent": True}
    handle = await rig.start(Echo, "in", memo=memo, search_attributes=attributes, priority=2)
    pending = await handle.describe()
    assert (pending.status, pending.workflow_type) == ("pending", "starting.echo")
    assert pending.task_queue == rig.queue
    assert (pending.input, pending.output) == (["in"], None)
    assert (pending.memo, pending.search_attributes) == (memo, attributes)
    async with rig.worker([Echo]):
        await rig.result(handle)
    completed = await handle.describe()
    assert (completed.status, completed.output, completed.run_id) == ("completed", "in", handle.run_id)


async def test_what_was_never_started_is_not_found(rig: Rig) -> None:
    with pytest.raises(WorkflowNotFound):
        await rig.client.describe_workflow(unique("wf"))


async def test_workflows_are_listed_by_type_and_status_newest_first(rig: Rig) -> None:
    running = [await rig.start(Other) for _ in range(5)]
    ended = running.pop()
    await ended.terminate()
    ids = [handle.workflow_id for handle in reversed(running)]

    listed: list[str] = []
    token: str | None = None
    for expected in (2, 2, None):
        page = await rig.client.list_workflows(
            workflow_type="starting.other", status="running", page_size=2, next_page_token=token
        )
        listed += [execution.workflow_id for execution in page.executions]
        token = page.next_page_token
        if token is None:
            break
        assert len(page.executions) == expected
    assert listed[: len(ids)] == ids
    assert ended.workflow_id not in listed
