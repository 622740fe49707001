"""Merged transitions over HTTP: what is advertised, taken at registration, carried and answered."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.engines.server import Server
from tests.http.clients import ENVELOPE, MANIFEST, client, poll_body, registration, start, unique

MERGED = {"supported": True, "version": 1}
SUFFIX = {"supported": True, "version": 1}
STICKY = {"supported": True, "minimum_protocol_version": "1.18"}
SCHEDULE = {"type": "schedule_activity", "activity_type": "charge"}


async def register(worker: httpx.AsyncClient, queue: str, merged: Any = MERGED) -> httpx.Response:
    """Register worker `w`, with merged transitions unless `merged` is None."""
    manifest = {**MANIFEST, "sticky_execution": STICKY, "sticky_history_suffix": SUFFIX}
    capabilities = ["local_activities", "sticky_execution", "sticky_history_suffix"]
    if merged is not None:
        manifest["merged_transitions"] = merged
        capabilities.append("merged_transitions")
    body = registration(
        "w", queue, capabilities=capabilities, capability_manifest=manifest, sdk_version="s/1"
    )
    return await worker.post("/worker/register", json=body)


async def claim(worker: httpx.AsyncClient, queue: str, kind: str = "workflow") -> dict[str, Any]:
    answer = await worker.post(f"/worker/{kind}-tasks/poll", json=poll_body("w", queue, 0))
    task: dict[str, Any] = answer.json()["task"]
    return task


def poll(queue: str, **members: Any) -> dict[str, Any]:
    """A carried poll without an id of its own."""
    return {"worker_id": "w", "task_queue": queue, **members}


def cache(task: dict[str, Any], last: int) -> dict[str, Any]:
    """That the worker keeps the run."""
    return {
        "worker_id": "w",
        "workflow_id": task["workflow_id"],
        "run_id": task["run_id"],
        "build_id": "s/1",
        "history_last_sequence": last,
    }


async def complete(
    worker: httpx.AsyncClient, task: dict[str, Any], *commands: dict[str, Any], **members: Any
) -> httpx.Response:
    body = {
        "lease_owner": "w",
        "workflow_task_attempt": task["workflow_task_attempt"],
        "commands": list(commands),
        **members,
    }
    return await worker.post(f"/worker/workflow-tasks/{task['task_id']}/complete", json=body)


async def complete_activity(
    worker: httpx.AsyncClient, task: dict[str, Any], **members: Any
) -> httpx.Response:
    body = {
        "activity_attempt_id": task["activity_attempt_id"],
        "lease_owner": "w",
        "result": ENVELOPE,
        **members,
    }
    return await worker.post(f"/worker/activity-tasks/{task['task_id']}/complete", json=body)


async def test_the_capability_is_advertised(api: Server) -> None:
    async with client(api, "worker") as worker:
        info = (await worker.get("/cluster/info")).json()
        assert info["worker_protocol"]["server_capabilities"]["merged_transitions"] == MERGED


@pytest.mark.parametrize(
    "entry", [{"supported": False}, {"supported": True}, {"supported": True, "version": 2}]
)
async def test_a_manifest_that_does_not_fit_is_refused(api: Server, entry: dict[str, Any]) -> None:
    async with client(api, "worker") as worker:
        answer = await register(worker, unique("q"), entry)
        assert answer.status_code == 409
        assert answer.json()["reason"] == "worker_capability_manifest_mismatch"
        assert answer.json()["capability"] == "merged_transitions"
        assert "merged_transitions" in answer.json()["remediation"]


async def test_a_manifest_without_the_capability_is_refused(api: Server) -> None:
    async with client(api, "worker") as worker:
        manifest = {**MANIFEST, "merged_transitions": MERGED}
        answer = await worker.post(
            "/worker/register", json=registration("w", unique("q"), capability_manifest=manifest)
        )
        assert answer.json()["reason"] == "worker_capability_manifest_mismatch"


async def test_a_worker_that_did_not_register_it_is_refused(api: Server) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue, None)
        await start(operator, queue)
        task = await claim(worker, queue)
        answer = await complete(worker, task, {**SCHEDULE, "queue": queue}, workflow_poll=poll(queue))
        assert answer.status_code == 409
        assert answer.json()["reason"] == "worker_capability_not_supported"
        assert answer.json()["capability"] == "merged_transitions"
        assert (await complete(worker, task, {**SCHEDULE, "queue": queue})).status_code == 200


async def test_a_run_goes_through_on_completions_alone(api: Server) -> None:
    queue = unique("q")
    schedule = {**SCHEDULE, "queue": queue}
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue)
        started = await start(operator, queue)
        task = await claim(worker, queue)
        answer = await complete(
            worker,
            task,
            schedule,
            sticky_cache=cache(task, 1),
            activity_poll=poll(queue, history_after_sequence=1),
        )
        body, last = answer.json(), 1
        for _ in range(3):
            tail = body["activity_poll"]["history_tail"]
            assert [event["sequence"] for event in tail["events"]] == list(
                range(last + 1, tail["last_sequence"] + 1)
            )
            last = tail["last_sequence"]
            answer = await complete_activity(
                worker,
                body["activity_poll"]["task"],
                continuation={
                    "basis_sequence": last,
                    "commands": [schedule],
                    "sticky_cache": cache(task, last),
                    "activity_poll": poll(queue, history_after_sequence=last),
                },
            )
            assert answer.status_code == 200, answer.text
            body = answer.json()
            assert body["continuation"]["outcome"] == "applied"
        last = body["activity_poll"]["history_tail"]["last_sequence"]
        end = {"basis_sequence": last, "commands": [{"type": "complete_workflow", "result": ENVELOPE}]}
        answer = await complete_activity(worker, body["activity_poll"]["task"], continuation=end)
        assert answer.json()["continuation"]["run_status"] == "completed"
        described = await operator.get(f"/workflows/{started['workflow_id']}")
        assert described.json()["status"] == "completed"


async def test_a_repeat_without_poll_ids_gets_the_same_tasks(api: Server) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue)
        for _ in range(3):
            await start(operator, queue)
        task = await claim(worker, queue)
        parts = {"workflow_poll": poll(queue), "activity_poll": poll(queue)}
        first = await complete(worker, task, {**SCHEDULE, "queue": queue}, **parts)
        assert first.json()["workflow_poll"]["poll_status"] == "leased"
        assert first.json()["activity_poll"]["poll_status"] == "leased"
        again = await complete(worker, task, {**SCHEDULE, "queue": queue}, **parts)
        assert again.json() == first.json()
        other = await complete(worker, task, {**SCHEDULE, "queue": queue}, workflow_poll=poll(queue))
        assert (other.status_code, other.json()["reason"]) == (409, "conflicting_completion")


async def test_a_command_that_a_continuation_may_not_have_does_not_lose_the_result(api: Server) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue)
        await start(operator, queue)
        task = await claim(worker, queue)
        await complete(worker, task, {**SCHEDULE, "queue": queue})
        activity = await claim(worker, queue, "activity")
        answer = await complete_activity(
            worker,
            activity,
            continuation={"basis_sequence": 2, "commands": [{"type": "start_child_workflow"}]},
        )
        assert answer.status_code == 200
        refused = {"outcome": "refused", "reason": "unsupported_continuation_command"}
        assert answer.json()["continuation"] == refused
        assert (await claim(worker, queue))["last_history_sequence"] == 3


TIMER = {"type": "start_timer", "delay_seconds": 1}
BAD_PARTS: list[tuple[dict[str, Any], str]] = [
    ({"workflow_poll": {"worker_id": "w2", "task_queue": "q"}}, "workflow_poll.worker_id"),
    ({"activity_poll": {"worker_id": "w2", "task_queue": "q"}}, "activity_poll.worker_id"),
    ({"workflow_poll": {"worker_id": "w"}}, "workflow_poll.task_queue"),
    ({"activity_poll": {"worker_id": "w", "task_queue": "é" * 200}}, "activity_poll.task_queue"),
    (
        {"activity_poll": {"worker_id": "w", "task_queue": "q", "history_after_sequence": 0}},
        "activity_poll.history_after_sequence",
    ),
    ({"continuation": {"commands": [TIMER]}}, "continuation.basis_sequence"),
    ({"continuation": {"basis_sequence": 0, "commands": [TIMER]}}, "continuation.basis_sequence"),
    ({"continuation": {"basis_sequence": 1, "commands": []}}, "continuation.commands"),
    ({"continuation": {"basis_sequence": 1, "commands": [{}]}}, "continuation.commands.0.type"),
    (
        {"continuation": {"basis_sequence": 1, "commands": [{**TIMER, "delay_seconds": -1}]}},
        "continuation.commands.0.delay_seconds",
    ),
    (
        {
            "continuation": {
                "basis_sequence": 1,
                "commands": [TIMER],
                "activity_poll": {"worker_id": "w2", "task_queue": "q"},
            }
        },
        "continuation.activity_poll.worker_id",
    ),
    (
        {
            "activity_poll": {"worker_id": "w", "task_queue": "q"},
            "continuation": {
                "basis_sequence": 1,
                "commands": [TIMER],
                "activity_poll": {"worker_id": "w", "task_queue": "q"},
            },
        },
        "continuation.activity_poll",
    ),
]


@pytest.mark.parametrize(("parts", "field"), BAD_PARTS, ids=[field for _, field in BAD_PARTS])
async def test_a_part_that_is_malformed_refuses_all_and_names_the_field(
    api: Server, parts: dict[str, Any], field: str
) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue)
        await start(operator, queue)
        await complete(worker, await claim(worker, queue), {**SCHEDULE, "queue": queue})
        activity = await claim(worker, queue, "activity")
        answer = await complete_activity(worker, activity, **parts)
        assert answer.status_code == 422, answer.text
        assert next(iter(answer.json()["errors"])) == field
        assert (await complete_activity(worker, activity)).status_code == 200
