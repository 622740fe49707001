"""Sticky execution over HTTP: what is advertised, taken at registration, and told in polls."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.engines.server import Server
from tests.http.clients import MANIFEST, client, poll_body, registration, start, unique
from tests.sdk.serving import Serve

SUFFIX = {"supported": True, "version": 1}
STICKY = {"supported": True, "minimum_protocol_version": "1.18"}
POLL = "/worker/workflow-tasks/poll"


async def register(
    worker: httpx.AsyncClient, queue: str, suffix: Any = SUFFIX, **changes: Any
) -> httpx.Response:
    """Register worker `w` with sticky execution, and with suffixes unless `suffix` is None."""
    manifest = {**MANIFEST, "sticky_execution": STICKY}
    capabilities = ["local_activities", "sticky_execution"]
    if suffix is not None:
        manifest["sticky_history_suffix"] = suffix
        capabilities.append("sticky_history_suffix")
    body = registration(
        "w", queue, capabilities=capabilities, capability_manifest=manifest, sdk_version="s/1"
    )
    return await worker.post("/worker/register", json={**body, **changes})


async def claim(worker: httpx.AsyncClient, queue: str) -> dict[str, Any]:
    answer = await worker.post(POLL, json=poll_body("w", queue, 0))
    task: dict[str, Any] = answer.json()["task"]
    return task


async def complete(worker: httpx.AsyncClient, task: dict[str, Any], **cache: Any) -> httpx.Response:
    """Complete the task with a condition wait; the worker retains the run."""
    sticky_cache = {
        "worker_id": "w",
        "workflow_id": task["workflow_id"],
        "run_id": task["run_id"],
        "build_id": "s/1",
        "ttl_seconds": 60,
        "metrics": {"hit": 1, "miss": 2, "eviction": 3, "forced_cold_replay": 4},
        **cache,
    }
    body = {
        "lease_owner": "w",
        "workflow_task_attempt": task["workflow_task_attempt"],
        "commands": [{"type": "start_timer", "delay_seconds": 1000}],
        "sticky_cache": {name: value for name, value in sticky_cache.items() if value is not None},
    }
    return await worker.post(f"/worker/workflow-tasks/{task['task_id']}/complete", json=body)


async def test_both_capabilities_are_advertised(api: Server) -> None:
    async with client(api, "worker") as worker:
        info = (await worker.get("/cluster/info")).json()
    capabilities = info["worker_protocol"]["server_capabilities"]
    assert capabilities["sticky_execution"]["supported"] is True
    assert capabilities["sticky_history_suffix"] == SUFFIX


@pytest.mark.parametrize(
    "suffix",
    [
        {"supported": True},
        {"supported": True, "version": 2},
        {"supported": False, "version": 1},
    ],
)
async def test_another_version_or_a_contradiction_is_refused(api: Server, suffix: dict[str, Any]) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker:
        answer = await register(worker, queue, suffix)
        assert answer.status_code == 409
        assert answer.json()["reason"] == "worker_capability_manifest_mismatch"
        assert answer.json()["capability"] == "sticky_history_suffix"
        assert answer.json()["registered"] is False
        assert (await worker.post(POLL, json=poll_body("w", queue, 0))).status_code == 412


async def test_suffixes_need_their_manifest_entry_and_sticky_execution(api: Server) -> None:
    async with client(api, "worker") as worker:
        for changes in (
            {"capability_manifest": {**MANIFEST, "sticky_execution": STICKY}},
            {
                "capability_manifest": {**MANIFEST, "sticky_history_suffix": SUFFIX},
                "capabilities": ["local_activities", "sticky_history_suffix"],
            },
            {"capabilities": ["local_activities", "sticky_execution"]},
        ):
            answer = await register(worker, unique("q"), **changes)
            assert answer.status_code == 409, answer.text
            assert answer.json()["capability"] == "sticky_history_suffix"


async def test_an_entry_that_says_no_is_no_opt_in(api: Server) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        manifest = {**MANIFEST, "sticky_execution": STICKY, "sticky_history_suffix": {"supported": False}}
        answer = await register(worker, queue, None, capability_manifest=manifest)
        assert answer.status_code == 201, answer.text
        await start(operator, queue)
        assert "history_after_sequence" not in await claim(worker, queue)


async def test_a_worker_that_retains_a_run_gets_the_suffix(api: Server) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue)
        started = await start(operator, queue)
        first = await claim(worker, queue)
        assert (first["sticky_replay_mode"], first["history_after_sequence"]) == ("cold_replay", 0)
        assert (await complete(worker, first, history_last_sequence=1)).status_code == 200
        await operator.post(f"/workflows/{started['workflow_id']}/signal/paid", json={})
        second = await claim(worker, queue)
        assert second["sticky_replay_mode"] == "sticky_hit_expected"
        assert (second["history_after_sequence"], second["history_last_sequence"]) == (1, 3)
        assert [event["sequence"] for event in second["history_events"]] == [2, 3]
        page = await worker.post(
            f"/worker/workflow-tasks/{second['task_id']}/history",
            json={"lease_owner": "w", "workflow_task_attempt": 1, "next_history_page_token": "MA=="},
        )
        assert [event["sequence"] for event in page.json()["history_events"]] == [1, 2, 3]


async def test_refusals_of_the_cache_say_what_is_wrong(api: Server) -> None:
    queue = unique("q")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, queue, None)
        await start(operator, queue)
        task = await claim(worker, queue)
        unasked = await complete(worker, task, history_last_sequence=1)
        assert unasked.status_code == 422
        assert list(unasked.json()["errors"]) == ["sticky_cache.history_last_sequence"]
        assert unasked.json()["recorded"] is False
        mismatch = await complete(worker, task, build_id="another")
        assert mismatch.status_code == 409
        assert mismatch.json()["reason"] == "sticky_cache_identity_mismatch"
        assert mismatch.json()["requested_version"] == "1.20"
        assert (await complete(worker, task)).status_code == 200


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("ttl_seconds", 0),
        ("ttl_seconds", 3601),
        ("history_last_sequence", 0),
        ("history_last_sequence", "1"),
        ("worker_id", ""),
        ("metrics", {"hit": -1}),
        ("metrics", {"miss": 0.5}),
        ("build_id", 1),
    ],
)
async def test_a_field_of_the_cache_that_breaks_its_rule_is_named(
    api: Server, field: str, value: Any
) -> None:
    task = {"task_id": "t:k1", "workflow_id": "o", "run_id": "r", "workflow_task_attempt": 1}
    async with client(api, "worker") as worker:
        answer = await complete(worker, task, **{field: value})
    assert answer.status_code == 422
    (named,) = answer.json()["errors"]
    assert named.startswith(f"sticky_cache.{field}")


async def test_switched_off_nothing_is_advertised_and_the_cache_is_ignored(serve: Serve) -> None:
    server = serve(DW_V2_STICKY_EXECUTION_ENABLED="false")
    queue = unique("q")
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        info = (await worker.get("/cluster/info")).json()["worker_protocol"]["server_capabilities"]
        assert info["sticky_execution"]["supported"] is info["sticky_history_suffix"]["supported"] is False
        assert (await register(worker, queue)).status_code == 201
        started = await start(operator, queue)
        task = await claim(worker, queue)
        assert (await complete(worker, task, build_id="another", history_last_sequence=9)).status_code == 200
        await operator.post(f"/workflows/{started['workflow_id']}/signal/paid", json={})
        second = await claim(worker, queue)
        assert (second["sticky_replay_mode"], second["history_after_sequence"]) == ("cold_replay", 0)
        metrics = (await operator.get("/system/operator-metrics")).json()["operator_metrics"]
        assert metrics["sticky_execution"]["enabled"] is False


async def test_switched_off_between_claim_and_completion(serve: Serve) -> None:
    queue = unique("q")
    on = serve()
    async with client(on, "worker") as worker, client(on, "operator") as operator:
        await register(worker, queue)
        started = await start(operator, queue)
        task = await claim(worker, queue)
    off = serve(DW_V2_STICKY_EXECUTION_ENABLED="false")
    async with client(off, "worker") as worker:
        assert (await complete(worker, task, history_last_sequence=1)).status_code == 200
    async with client(on, "worker") as worker, client(on, "operator") as operator:
        await operator.post(f"/workflows/{started['workflow_id']}/signal/paid", json={})
        second = await claim(worker, queue)
        assert (second["sticky_replay_mode"], second["history_after_sequence"]) == ("cold_replay", 0)


async def test_a_repeated_completion_is_known_by_what_the_worker_sent(serve: Serve) -> None:
    queue = unique("q")
    before = serve()
    async with client(before, "worker") as worker, client(before, "operator") as operator:
        await register(worker, queue)
        await start(operator, queue)
        task = await claim(worker, queue)
        first = await complete(worker, task, ttl_seconds=None)
    after = serve(DW_V2_STICKY_EXECUTION_TTL_SECONDS="100")
    async with client(after, "worker") as worker:
        again = await complete(worker, task, ttl_seconds=None)
        assert (first.status_code, again.status_code, again.text) == (200, 200, first.text)
        assert (await complete(worker, task, ttl_seconds=61)).status_code == 409


async def test_operators_and_prometheus_read_what_was_routed(serve: Serve) -> None:
    server = serve()
    queue = unique("q")
    async with client(server, "worker") as worker, client(server, "operator") as operator:
        await register(worker, queue)
        started = await start(operator, queue)
        await complete(worker, await claim(worker, queue), history_last_sequence=1)
        await operator.post(f"/workflows/{started['workflow_id']}/signal/paid", json={})
        await claim(worker, queue)
        document = (await operator.get("/system/operator-metrics")).json()
        assert document["namespace"] == "default"
        sticky = document["operator_metrics"]["sticky_execution"]
        assert (sticky["enabled"], sticky["ttl_seconds"]) == (True, 300)
        own = {
            "active_sticky_runs": 1,
            "ready_sticky_tasks": 0,
            "leased_sticky_tasks": 1,
            "hit_expected_last_minute": 1,
            "miss_last_minute": 0,
            "forced_cold_replay_last_minute": 0,
            "cold_replay_last_minute": 1,
            "hit_rate_last_minute": 1.0,
            "miss_rate_last_minute": 0.0,
            "capacity_pressure_tasks": 0,
            "suffix_tasks_last_minute": 1,
            "suffix_events_saved_last_minute": 1,
            "worker_reported": {"hits": 1, "misses": 2, "evictions": 3, "forced_cold_replays": 4},
        }
        assert {name: sticky[name] for name in own} == own
        assert sticky["suffix_bytes_saved_last_minute"] > 0
        assert {name: sticky["all_namespaces"][name] for name in own} == own

        text = (await operator.get(f"{server.url}/metrics")).text
        assert 'byssus_sticky_claims_last_minute{mode="hit_expected",namespace="default"} 1.0' in text
        assert "byssus_sticky_enabled 1.0" in text
        assert "byssus_sticky_ttl_seconds 300.0" in text
        assert 'byssus_sticky_hit_rate_last_minute{namespace="default"} 1.0' in text
        assert 'byssus_sticky_miss_rate_last_minute{namespace="default"} 0.0' in text
        assert 'byssus_sticky_suffix_tasks_last_minute{namespace="default"} 1.0' in text
        assert 'byssus_sticky_worker_reported{event="evictions",namespace="default"} 3.0' in text


async def test_metrics_of_a_namespace_that_does_not_exist(api: Server) -> None:
    async with client(api, "operator", **{"X-Namespace": "nowhere"}) as operator:
        answer = await operator.get("/system/operator-metrics")
    assert (answer.status_code, answer.json()["reason"]) == (404, "namespace_not_found")


async def test_metrics_need_a_token(api: Server) -> None:
    async with httpx.AsyncClient() as nobody:
        assert (await nobody.get(f"{api.url}/metrics")).status_code == 401
