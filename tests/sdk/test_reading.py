"""What clients read of workflows: the runs of a chain, one run, its exported history."""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any

import pytest
from durable_workflow import activity, workflow
from durable_workflow.errors import ServerError, WorkflowNotFound
from durable_workflow.history_bundle_verify import verify_bundle
from durable_workflow.workflow import WorkflowContext

from tests.sdk.histories import check_replay
from tests.sdk.rig import Rig, unique

Steps = Generator[Any, Any, Any]


@activity.defn(name="reading.double")
async def double(number: int) -> int:
    return number * 2


@workflow.defn(name="reading.counting")
class Counting:
    """Doubles a number, once per run, until there have been three runs."""

    def run(self, ctx: WorkflowContext, number: int, rounds: int) -> Steps:
        doubled = yield ctx.schedule_activity("reading.double", [number])
        return ctx.continue_as_new(doubled, rounds - 1) if rounds > 1 else doubled


async def test_the_runs_of_a_chain_are_listed_and_described(rig: Rig) -> None:
    async with rig.worker([Counting], [double]):
        handle = await rig.start(Counting, 5, 3)
        assert await rig.result(rig.client.get_workflow_handle(handle.workflow_id)) == 40
    listed = await rig.client.list_workflow_runs(handle.workflow_id)
    assert listed.run_count == len(listed.runs) == 3
    assert [run.run_number for run in listed.runs] == [1, 2, 3]
    assert [run.is_current_run for run in listed.runs] == [False, False, True]
    assert listed.runs[0].run_id == handle.run_id
    described = [
        await rig.client.describe_workflow_run(handle.workflow_id, run.run_id) for run in listed.runs
    ]
    assert [run.closed_reason for run in described] == ["continued", "continued", "completed"]
    assert {run.run_count for run in described} == {3}
    with pytest.raises(WorkflowNotFound):
        await rig.client.list_workflow_runs(unique("unknown"))


async def test_an_exported_history_passes_the_verifier_and_replays(rig: Rig) -> None:
    async with rig.worker([Counting], [double]):
        handle = await rig.start(Counting, 5, 1, memo={"ratio": 1e-7, "who": "Đurđa 🚲"})
        assert handle.run_id is not None
        begun = await rig.client.export_history(handle.workflow_id, handle.run_id)
        await rig.result(handle)
    ended = await rig.client.export_history(handle.workflow_id, handle.run_id)
    for document in (begun, ended):
        report = verify_bundle(document)
        assert (report["status"], report["findings"]) == ("ok", [])
    assert [document["history_complete"] for document in (begun, ended)] == [False, True]
    assert ended["history_events"][0] == begun["history_events"][0]
    events = [{**event, "event_type": event["type"]} for event in ended["history_events"]]
    check_replay(Counting, events, [5, 1])
    assert json.dumps(ended["payloads"]["output"]["data"]) in json.dumps(events)
    with pytest.raises((ServerError, WorkflowNotFound)):
        await rig.client.export_history(handle.workflow_id, unique("unknown"))
