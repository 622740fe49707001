"""The answers of requests that succeed."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx
import pytest
from durable_workflow import serializer
from durable_workflow.client import Client

from tests.engines.server import Server
from tests.http.clients import ENVELOPE, client, poll_body, register, registration, start, unique


async def test_a_server_is_healthy_and_ready_without_a_token(api: Server) -> None:
    async with httpx.AsyncClient(base_url=api.url) as nobody:
        health, ready = await nobody.get("/api/health"), await nobody.get("/api/ready")
    assert health.status_code == ready.status_code == 200
    assert health.json()["status"] == "serving"
    assert health.json()["checks"] == {"database": "ok"}
    assert ready.json()["status"] == "ready"
    assert {name: check["status"] for name, check in ready.json()["checks"].items()} == {
        "database": "ok",
        "migrations": "ok",
        "auth": "ok",
    }


@pytest.mark.parametrize("role", ["worker", "operator", "admin"])
async def test_the_sdk_takes_the_discovery_document(api: Server, role: str) -> None:
    async with Client(api.url, token=api.tokens[role]) as sdk:
        info = await sdk.get_cluster_info()
    assert info["worker_protocol"]["version"] == "1.20"
    capabilities = info["worker_protocol"]["server_capabilities"]
    assert capabilities["worker_deregistration_fencing"]["supported"] is True
    assert "record_local_activity" in capabilities["supported_workflow_task_commands"]
    assert not [name for name in capabilities if name.startswith("prepared_local_activit")]
    assert "query_tasks" not in capabilities
    assert "update" not in info["control_plane"]["request_contract"]["operations"]


async def test_a_registration_says_how_often_to_report(api: Server) -> None:
    worker_id = unique("w")
    async with client(api, "worker") as worker:
        registered = await worker.post("/worker/register", json=registration(worker_id, unique("q")))
        reported = await worker.post("/worker/heartbeat", json={"worker_id": worker_id})
    assert registered.status_code == 201
    assert registered.json()["registered"] is True
    assert len(registered.json()["registration_token"]) == 32
    assert registered.json()["heartbeat_interval_seconds"] == 60
    assert reported.json()["acknowledged"] is True
    assert reported.json()["heartbeat_interval_seconds"] == 60


async def test_a_start_is_created_and_says_what_it_was(api: Server) -> None:
    async with client(api, "operator") as operator:
        started = await start(operator, unique("q"))
        listed = await operator.get("/workflows?page_size=1")
        described = await operator.get(f"/workflows/{started['workflow_id']}")
    assert started["outcome"] == "started_new"
    assert started["control_plane"] == {
        "schema": "durable-workflow.v2.control-plane-response",
        "version": 1,
        "operation": "start",
        "workflow_id": started["workflow_id"],
    }
    assert listed.json()["control_plane"]["operation"] == "list"
    assert described.json()["run_id"] == started["run_id"]


async def test_a_start_without_an_id_that_is_repeated_finds_the_first(api: Server) -> None:
    body = {"workflow_type": "order", "request_id": unique("request")}
    async with client(api, "operator") as operator:
        first = await operator.post("/workflows", json=body)
        again = await operator.post("/workflows", json=body)
        different = await operator.post("/workflows", json={**body, "business_key": "k"})
    assert first.status_code == again.status_code == 201
    assert again.json()["run_id"] == first.json()["run_id"]
    assert (different.status_code, different.json()["reason"]) == (409, "request_id_conflict")


async def test_a_signal_is_accepted_under_its_decoded_name(api: Server) -> None:
    async with client(api, "operator") as operator:
        started = await start(operator, unique("q"))
        answer = await operator.post(
            f"/workflows/{started['workflow_id']}/signal/a%2Fb%20c", json={"input": [1]}
        )
    assert answer.status_code == 202
    assert answer.json()["signal_name"] == "a/b c"
    control_plane = answer.json()["control_plane"]
    assert (control_plane["operation_name"], control_plane["operation_name_field"]) == (
        "a/b c",
        "signal_name",
    )


async def test_a_signal_to_a_closed_run_names_its_operation(api: Server) -> None:
    async with client(api, "operator") as operator:
        path = f"/workflows/{(await start(operator, unique('q')))['workflow_id']}"
        assert (await operator.post(f"{path}/terminate", json={})).status_code == 200
        answer = await operator.post(f"{path}/signal/paid", json={})
    assert (answer.status_code, answer.json()["reason"]) == (409, "run_not_active")
    assert answer.json()["control_plane"]["operation"] == "signal"


@pytest.mark.parametrize("action", ["cancel", "terminate"])
async def test_a_run_can_be_stopped_without_a_body(api: Server, action: str) -> None:
    async with client(api, "operator") as operator:
        started = await start(operator, unique("q"))
        path = f"/workflows/{started['workflow_id']}/runs/{started['run_id']}/{action}"
        answer = await operator.post(path)
    assert answer.status_code == 200, answer.text
    assert answer.json()["control_plane"]["run_id"] == started["run_id"]


async def claimed(worker: httpx.AsyncClient, operator: httpx.AsyncClient, **changes: Any) -> dict[str, Any]:
    """The first workflow task of a new run."""
    queue, worker_id = unique("q"), unique("w")
    await register(worker, worker_id, queue)
    await start(operator, queue, **changes)
    answer = await worker.post("/worker/workflow-tasks/poll", json=poll_body(worker_id, queue, 10))
    task: dict[str, Any] = answer.json()["task"]
    assert task is not None, answer.text
    return task


async def test_an_array_given_as_input_reaches_the_worker_as_the_sdk_would_encode_it(api: Server) -> None:
    values = [1, 2.5, "ü", None, True, {"a": [1]}]
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        task = await claimed(worker, operator, input=values)
    assert task["arguments"] == {"codec": "avro", "blob": serializer.encode(values)}


async def test_an_envelope_comes_back_byte_for_byte(api: Server) -> None:
    envelope = '{"blob":"wwHi\\u002f==", "n":123456789012345678901234567890,"codec":"avro"}'
    queue, worker_id = unique("q"), unique("w")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, worker_id, queue)
        body = f'{{"workflow_type":"order","task_queue":"{queue}","input":{envelope}}}'
        json_type = {"Content-Type": "application/json"}
        assert (await operator.post("/workflows", content=body, headers=json_type)).status_code == 201
        answer = await worker.post("/worker/workflow-tasks/poll", json=poll_body(worker_id, queue, 10))
    assert f'"arguments":{envelope}' in answer.text


async def test_commands_are_applied_or_refused_whole(api: Server) -> None:
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        task = await claimed(worker, operator)
        path = f"/worker/workflow-tasks/{task['task_id']}/complete"
        fence = {"lease_owner": task["lease_owner"], "workflow_task_attempt": task["workflow_task_attempt"]}
        timer = {"type": "start_timer", "delay_seconds": 60}
        refused = await worker.post(
            path, json={**fence, "commands": [timer, {"type": "start_child_workflow", "workflow_type": "x"}]}
        )
        assert (refused.status_code, refused.json()["reason"]) == (422, "unsupported_workflow_command")
        assert refused.json()["command_type"] == "start_child_workflow"
        done = await worker.post(path, json={**fence, "commands": [timer]})
        assert done.status_code == 200, done.text
        history = await operator.get(f"/workflows/{task['workflow_id']}/runs/{task['run_id']}/history")
    assert [event["event_type"] for event in history.json()["events"]] == [
        "WorkflowStarted",
        "TimerScheduled",
    ]


async def test_a_failure_with_a_nul_in_its_text_is_recorded(api: Server) -> None:
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        task = await claimed(worker, operator)
        path = f"/worker/workflow-tasks/{task['task_id']}/fail"
        fence = {"lease_owner": task["lease_owner"], "workflow_task_attempt": task["workflow_task_attempt"]}
        answer = await worker.post(path, json={**fence, "failure": {"message": "a\0b", "type": "T"}})
    assert answer.status_code == 200, answer.text


async def test_large_answers_are_compressed_for_those_who_take_it(api: Server) -> None:
    path = "/cluster/info"
    async with client(api, "worker", **{"Accept-Encoding": "identity"}) as plain:
        whole = await plain.get(path)
    async with (
        client(api, "worker", **{"Accept-Encoding": "br, gzip;q=0.5"}) as takes,
        takes.stream("GET", path) as answer,
    ):
        raw = b"".join([chunk async for chunk in answer.aiter_raw()])
    async with client(api, "worker", **{"Accept-Encoding": "gzip;q=0, br"}) as refuses:
        refused = await refuses.get(path)
    assert "Content-Encoding" not in whole.headers
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(raw) == whole.content
    assert len(raw) < len(whole.content)
    assert "Content-Encoding" not in refused.headers


async def test_each_request_has_one_line_in_the_log_without_payloads_or_tokens(api: Server) -> None:
    secret = unique("secret")
    async with client(api, "operator") as operator:
        started = await start(operator, unique("q"), memo={"note": secret}, input=[secret])
        answer = await operator.post(
            f"/workflows/{started['workflow_id']}/signal/paid", json={"input": ENVELOPE, "request_id": secret}
        )
    lines = api.log.read_text().splitlines()
    logged = [json.loads(line) for line in lines if answer.headers["X-Request-Id"] in line]
    assert [
        {name: line[name] for name in ("method", "path", "transition", "outcome", "status")}
        for line in logged
    ] == [
        {
            "method": "POST",
            "path": "/api/workflows/{workflow_id}/signal/{signal_name}",
            "transition": "signal_run",
            "outcome": "signal_received",
            "status": 202,
        }
    ]
    assert logged[0]["duration_ms"] > 0
    text = "\n".join(lines)
    assert secret not in text
    assert not any(token in text for token in api.tokens.values())
