"""Whatever comes in, the answer is a 4xx that names the field, never a 500."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import httpx
import pytest

from byssus.http.endpoints import Endpoint
from tests.engines.server import Server
from tests.http.clients import client, register, registration, start, unique
from tests.http.examples import (
    EXAMPLES,
    NAMES_SOMETHING,
    TAKES_BODY,
    TAKES_VERSION,
    body_of,
    name_of,
    role_of,
    url_of,
)

BAD_VALUES: list[Any] = [
    0,
    -1,
    2**31,
    2**63,
    10**40,
    1.5,
    True,
    "",
    "a\0b",
    "a\nb",
    "\x7f",
    "é" * 200,
    "a" * 100_000,
    "x",
    [],
    [None],
    ["a\0b"],
    [[]],
    {},
    {"": None},
    {"a\0b": "a\0b"},
    {"codec": "avro", "blob": "\0"},
]
NOT_IDENTIFIERS: list[Any] = [1, True, "", "a\0b", "a\nb", "\x7f", "é" * 200, "a" * 256, [], {}]
NOT_OBJECTS: list[Any] = [[], "text", 1, None, True]
MEMBERS = [(endpoint, member) for endpoint in TAKES_BODY for member in EXAMPLES[endpoint.operation].body]
REQUIRED = [(endpoint, member) for endpoint in TAKES_BODY for member in EXAMPLES[endpoint.operation].required]
HAVE_PARAMETERS = [endpoint for endpoint in TAKES_VERSION if "{" in endpoint.path]
STRANGE = ("a%2Fb", "%20", "..%2F..", "'%20or%201=1--", "%E2%98%83", ":k1", "%3A", "a:k99999999999999999999")
IDENTIFIERS = {
    "worker_id",
    "task_queue",
    "lease_owner",
    "activity_attempt_id",
    "workflow_type",
    "request_id",
    "business_key",
    "poll_request_id",
    "build_id",
    "compatibility",
    "workflow_id",
}


async def send(asking: httpx.AsyncClient, endpoint: Endpoint, body: Any) -> httpx.Response:
    content = json.dumps(body)
    headers = {"Content-Type": "application/json"}
    return await asking.request(endpoint.method, url_of(asking, endpoint), content=content, headers=headers)


def assert_names(answer: httpx.Response, field: str) -> None:
    """The answer is a validation error of this field or of something in it."""
    assert answer.status_code == 422, answer.text
    body = answer.json()
    assert body["reason"] == "validation_failed"
    assert body["errors"] == body["validation_errors"]
    assert all(name == field or name.startswith(f"{field}.") for name in body["errors"]), body["errors"]


@pytest.mark.parametrize(("endpoint", "member"), MEMBERS, ids=name_of)
async def test_a_member_of_any_other_value_is_answered_or_refused_by_name(
    api: Server, endpoint: Endpoint, member: str
) -> None:
    async with client(api, role_of(endpoint)) as asking:
        for value in BAD_VALUES:
            answer = await send(asking, endpoint, {**(body_of(endpoint) or {}), member: value})
            assert answer.status_code < 500, (value, answer.text)
            if answer.status_code == 422 and answer.json()["reason"] == "validation_failed":
                errors = answer.json()["errors"]
                assert any(name.split(".")[0] in (member, "body") for name in errors), (value, errors)


@pytest.mark.parametrize(("endpoint", "member"), REQUIRED, ids=name_of)
async def test_a_required_member_is_asked_for_by_name(api: Server, endpoint: Endpoint, member: str) -> None:
    body = dict(body_of(endpoint) or {})
    async with client(api, role_of(endpoint)) as asking:
        assert_names(await send(asking, endpoint, {**body, member: None}), member)
        del body[member]
        assert_names(await send(asking, endpoint, body), member)


@pytest.mark.parametrize(
    ("endpoint", "member"), [pair for pair in MEMBERS if pair[1] in IDENTIFIERS], ids=name_of
)
async def test_an_identifier_that_cannot_be_one_is_refused_by_name(
    api: Server, endpoint: Endpoint, member: str
) -> None:
    async with client(api, role_of(endpoint)) as asking:
        for value in NOT_IDENTIFIERS:
            assert_names(await send(asking, endpoint, {**(body_of(endpoint) or {}), member: value}), member)


@pytest.mark.parametrize("endpoint", TAKES_BODY, ids=name_of)
async def test_a_body_that_is_no_object_is_refused(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint)) as asking:
        for body in NOT_OBJECTS:
            assert_names(await send(asking, endpoint, body), "body")


@pytest.mark.parametrize("endpoint", NAMES_SOMETHING, ids=name_of)
async def test_what_does_not_exist_is_not_found(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint)) as asking:
        answer = await asking.request(endpoint.method, url_of(asking, endpoint), json=body_of(endpoint))
    reason = EXAMPLES[endpoint.operation].unknown
    if endpoint.method == "DELETE":
        reason = "worker_not_found"
    assert (answer.status_code, answer.json()["reason"]) == (412 if "/poll" in endpoint.path else 404, reason)


@pytest.mark.parametrize("endpoint", HAVE_PARAMETERS, ids=name_of)
async def test_a_path_that_cannot_name_anything_is_refused_by_name(api: Server, endpoint: Endpoint) -> None:
    names = [part[1:-1] for part in endpoint.path.split("/") if part.startswith("{")]
    async with client(api, role_of(endpoint)) as asking:
        for name in names:
            too_long = () if name == "signal_name" else ("a" * 256, "%C3%A9" * 128)
            for segment in ("%FF", "%00", "a%0Ab", "%7F", *too_long):
                path = url_of(asking, endpoint, **{name: segment})
                assert_names(await asking.request(endpoint.method, path, json=body_of(endpoint)), name)


@pytest.mark.parametrize("endpoint", HAVE_PARAMETERS, ids=name_of)
async def test_a_strange_path_is_just_not_found(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint)) as asking:
        for name, segment in product(("worker_id", "task_id", "workflow_id", "run_id"), STRANGE):
            path = url_of(asking, endpoint, **{name: segment})
            answer = await asking.request(endpoint.method, path, json=body_of(endpoint))
            assert answer.status_code == 404, (path, answer.text)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("a" * 256, False),
        ("a" * 257, True),
        ("%C3%A9" * 128, False),
        ("%C3%A9" * 129, True),
        ("%0A", True),
        ("%20", False),
    ],
)
async def test_a_signal_name_is_checked_before_the_workflow_is_looked_for(
    api: Server, name: str, refused: bool
) -> None:
    async with client(api, "operator") as operator:
        answer = await operator.post(
            f"/workflows/nowhere/signal/{name}", json={"input": 5} if refused else {}
        )
    if refused:
        assert_names(answer, "signal_name")
    else:
        assert answer.json()["reason"] == "instance_not_found"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("page_size=0", "page_size"),
        ("page_size=201", "page_size"),
        ("page_size=x", "page_size"),
        ("page_size=%D9%A3", "page_size"),
        ("page_size=99999999999999999999", "page_size"),
        ("status=cancelled", "status"),
        ("status=", "status"),
        ("workflow_type=%00", "workflow_type"),
        ("workflow_type=", "workflow_type"),
        ("query=Status%3D1", "query"),
        ("workflow_type=%FF", "query"),
    ],
)
async def test_a_bad_query_string_of_a_list_is_refused_by_name(api: Server, query: str, field: str) -> None:
    async with client(api, "operator") as operator:
        assert_names(await operator.get(f"/workflows?{query}"), field)


@pytest.mark.parametrize(
    ("query", "field"), [("page_size=1001", "page_size"), ("wait_new_event=maybe", "wait_new_event")]
)
async def test_a_bad_query_string_of_a_history_is_refused_by_name(
    api: Server, query: str, field: str
) -> None:
    async with client(api, "operator") as operator:
        assert_names(await operator.get(f"/workflows/nowhere/runs/none/history?{query}"), field)


@pytest.mark.parametrize("token", ["x", "%00", "LTE=", "OTk5OTk5OTk5OTk5OTk5OTk5OTk="])
async def test_a_page_token_that_is_none_is_refused(api: Server, token: str) -> None:
    async with client(api, "operator") as operator:
        answer = await operator.get(f"/workflows/nowhere/runs/none/history?next_page_token={token}")
    assert answer.status_code in (400, 422)
    assert answer.json()["reason"] in ("invalid_page_token", "validation_failed")


async def test_a_list_token_that_is_none_means_the_first_page(api: Server) -> None:
    async with client(api, "operator") as operator:
        first = await operator.get("/workflows?page_size=5")
        junk = await operator.get("/workflows?page_size=5&next_page_token=junk")
    assert junk.status_code == 200
    assert junk.json()["workflows"] == first.json()["workflows"]


async def test_the_namespace_of_a_query_string_may_not_be_a_list(api: Server) -> None:
    async with client(api, "operator") as operator:
        del operator.headers["X-Namespace"]
        answer = await operator.get("/workflows?namespace[]=default")
    assert answer.json()["reason"] == "invalid_namespace"


async def test_nothing_of_another_namespace_can_be_reached(api: Server) -> None:
    queue, worker_id = unique("q"), unique("w")
    async with client(api, "worker") as worker, client(api, "operator") as operator:
        await register(worker, worker_id, queue)
        started = await start(operator, queue)
        body = {"worker_id": worker_id, "task_queue": queue, "timeout_seconds": 0}
        task = (await worker.post("/worker/workflow-tasks/poll", json=body)).json()["task"]
        run = f"/workflows/{started['workflow_id']}/runs/{started['run_id']}"
        elsewhere = {"X-Namespace": "other"}
        fence = {"lease_owner": worker_id, "workflow_task_attempt": task["workflow_task_attempt"]}
        done = {**fence, "commands": [{"type": "complete_workflow"}]}

        for path in (f"/workflows/{started['workflow_id']}", run, f"{run}/history"):
            assert (await operator.get(path, headers=elsewhere)).status_code == 404
        for action in ("cancel", "terminate", "signal/paid"):
            assert (await operator.post(f"{run}/{action}", json={}, headers=elsewhere)).status_code == 404
        listed = (await operator.get("/workflows", headers=elsewhere)).json()["workflows"]
        assert started["run_id"] not in [row["run_id"] for row in listed]
        task_path = f"/worker/workflow-tasks/{task['task_id']}"
        assert (await worker.post(f"{task_path}/complete", json=done, headers=elsewhere)).status_code == 404
        assert (await worker.post(f"{task_path}/heartbeat", json=fence, headers=elsewhere)).status_code == 404
        poll = await worker.post("/worker/workflow-tasks/poll", json=body, headers=elsewhere)
        assert poll.status_code == 412
        assert (await worker.delete(f"/worker/registrations/{worker_id}", headers=elsewhere)).json()[
            "reason"
        ] == "worker_not_found"

        assert (await worker.post(f"{task_path}/complete", json=done)).status_code == 200


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"capabilities": []}, 409, "worker_capability_manifest_mismatch"),
        (
            {"capabilities": ["local_activities", "sticky_execution"]},
            409,
            "worker_capability_manifest_mismatch",
        ),
        ({"capability_manifest": {}}, 409, "worker_capability_manifest_mismatch"),
        ({"capability_manifest": {}, "capabilities": []}, 422, "validation_failed"),
        ({"runtime": "cobol"}, 422, "validation_failed"),
        ({"max_concurrent_workflow_tasks": 0, "max_concurrent_activity_tasks": 0}, 422, "validation_failed"),
        ({"supported_workflow_types": ["é" * 200]}, 422, "validation_failed"),
        ({"workflow_command_contracts": {"order": {"signals": ["a\0"]}}}, 422, "validation_failed"),
    ],
)
async def test_a_registration_that_contradicts_itself_is_refused(
    api: Server, change: dict[str, Any], status: int, reason: str
) -> None:
    async with client(api, "worker") as worker:
        answer = await worker.post("/worker/register", json=registration(unique("w"), "q", **change))
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


@pytest.mark.parametrize(("floor", "advertised"), [("", True), ("1.17", False), ("1.21", True), ("x", False)])
async def test_a_capability_names_a_protocol_that_fits(api: Server, floor: str, advertised: bool) -> None:
    body = registration(unique("w"), "q")
    name = "local_activities" if advertised else "worker_sessions"
    manifest = {
        **body["capability_manifest"],
        name: {"supported": advertised, "minimum_protocol_version": floor},
    }
    async with client(api, "worker") as worker:
        answer = await worker.post("/worker/register", json={**body, "capability_manifest": manifest})
    assert (answer.status_code, answer.json()["reason"]) == (409, "worker_capability_protocol_floor_mismatch")
    assert answer.json()["capability"] == name


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"workflow_id": "a b"}, "workflow_id"),
        ({"workflow_id": "a" * 129}, "workflow_id"),
        ({"workflow_id": "a\n"}, "workflow_id"),
        ({"input": {"codec": "json", "blob": "x"}}, "input"),
        ({"input": [2**63]}, "input"),
        ({"input": "blob"}, "input"),
        ({"duplicate_policy": "use_existing"}, "duplicate_policy"),
        ({"payload_codec": "json"}, "payload_codec"),
        ({"execution_timeout_seconds": 0}, "execution_timeout_seconds"),
        ({"run_timeout_seconds": "5"}, "run_timeout_seconds"),
        ({"priority": 10}, "priority"),
        ({"fairness_weight": 1001}, "fairness_weight"),
        ({"fairness_key": "a b"}, "fairness_key"),
        ({"memo": {"note": "x" * 262_144}}, "memo"),
        ({"search_attributes": {"1a": 1}}, "search_attributes"),
        ({"search_attributes": {"a": "x" * 2049}}, "search_attributes"),
        ({"search_attributes": {"a": [1]}}, "search_attributes"),
        ({"search_attributes": {f"a{n}": n for n in range(101)}}, "search_attributes"),
        ({"idempotency_key": "k"}, "idempotency_key"),
        ({"retry_policy": None}, "retry_policy"),
        ({"workflow_execution_timeout": 5}, "workflow_execution_timeout"),
    ],
)
async def test_a_start_that_breaks_a_rule_is_refused_by_name(
    api: Server, change: dict[str, Any], field: str
) -> None:
    async with client(api, "operator") as operator:
        body = {"workflow_id": unique("wf"), "workflow_type": "order", **change}
        assert_names(await operator.post("/workflows", json=body), field)
