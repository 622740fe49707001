"""The checks that every request goes through before its body is looked into."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from byssus.http.endpoints import ENDPOINTS, Endpoint
from byssus.settings import load
from tests.engines.server import Server
from tests.http.clients import CONTROL, PROTOCOL, client
from tests.http.examples import (
    NAMES_SOMETHING,
    TAKES_BODY,
    TAKES_TOKEN,
    TAKES_VERSION,
    body_of,
    name_of,
    role_of,
    url_of,
)

LIMIT = load({"DW_DATABASE_URL": "sqlite:///x", "DW_AUTH_DRIVER": "none"}).max_payload_bytes


MALFORMED = (
    b"{",
    b"nothing",
    b'{"a":1}{"b":2}',
    b'{"a":NaN}',
    b"\xef\xbb\xbf{}",
    b'{"worker_id":"\xff","lease_owner":"\xff","workflow_type":"\xff","reason":"\xff"}',
    b'{"worker_id":"\\ud800 lone","lease_owner":"\\ud800 lone","workflow_type":"\\ud800 lone"}',
    b'{"unknown":"\\ud800 lone"}',
    b'{"unknown":"\xc3"}',
    b'{"unknown":' + b"[" * 65 + b"]" * 65 + b"}",
    b'{"unknown":' + b"[" * 100_000,
    b'{"unknown":' + b'{"a":' * 100_000,
)


async def ask(
    server: Server, endpoint: Endpoint, role: str | None = None, **headers: str | None
) -> httpx.Response:
    """The endpoint's example, its headers changed; None leaves one out."""
    async with client(server, role or role_of(endpoint)) as asking:
        if role is not None and role_of(endpoint) != role:
            asking.headers.update({**PROTOCOL, **CONTROL})
        for name, value in headers.items():
            del asking.headers[name.replace("_", "-")]
            if value is not None:
                asking.headers[name.replace("_", "-")] = value
        return await asking.request(endpoint.method, url_of(asking, endpoint), json=body_of(endpoint))


def assert_refused(answer: httpx.Response, status: int, reason: str, endpoint: Endpoint) -> dict[str, Any]:
    """The refusal in the form of its plane."""
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()
    assert body["reason"] == reason
    assert body["message"]
    if endpoint.plane == "worker":
        assert body["error"] == body["message"]
        assert body["protocol_version"] == "1.20"
        assert "supported_workflow_task_commands" in body["server_capabilities"]
        assert answer.headers["X-Durable-Workflow-Protocol-Version"] == "1.20"
        assert "control_plane" not in body
    if endpoint.plane == "control":
        assert body["control_plane"]["operation"] == endpoint.operation
        assert answer.headers["X-Durable-Workflow-Control-Plane-Version"] == "2"
        assert "protocol_version" not in body
    return body


@pytest.mark.parametrize("endpoint", TAKES_TOKEN, ids=name_of)
async def test_a_request_without_a_valid_token_is_unauthorized(api: Server, endpoint: Endpoint) -> None:
    for authorization in (None, "Bearer nobody", "Basic d29ya2VyLXRva2Vu", "worker-token"):
        answer = await ask(api, endpoint, Authorization=authorization)
        assert_refused(answer, 401, "unauthorized", endpoint)


@pytest.mark.parametrize("endpoint", TAKES_TOKEN, ids=name_of)
@pytest.mark.parametrize("role", ["worker", "operator", "admin"])
async def test_only_the_roles_of_the_row_may_use_it(api: Server, endpoint: Endpoint, role: str) -> None:
    answer = await ask(api, endpoint, role)
    if role in endpoint.roles:
        assert answer.status_code not in (401, 403), answer.text
    else:
        body = assert_refused(answer, 403, "forbidden", endpoint)
        assert body["role"] == role
        assert body["allowed_roles"] == list(endpoint.roles)


@pytest.mark.parametrize("endpoint", TAKES_VERSION, ids=name_of)
async def test_a_version_that_is_not_supported_is_refused(api: Server, endpoint: Endpoint) -> None:
    worker = endpoint.plane == "worker"
    header = "X_Durable_Workflow_Protocol_Version" if worker else "X_Durable_Workflow_Control_Plane_Version"
    plane = "protocol" if worker else "control_plane"
    for version in (None, "", "1.18", "1.21", "2.0", "1", "latest"):
        answer = await ask(api, endpoint, **{header: version})
        kind = "unsupported" if version else "missing"
        body = assert_refused(answer, 400, f"{kind}_{plane}_version", endpoint)
        assert body["requested_version"] == (version or None)
        assert body["supported_version"] == ("1.20" if worker else "2")


@pytest.mark.parametrize("endpoint", TAKES_VERSION, ids=name_of)
async def test_a_namespace_that_cannot_be_is_refused(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint)) as asking:
        for namespace in ("a/b", "ü", "a" * 129, "a b"):
            answer = await asking.request(
                endpoint.method,
                url_of(asking, endpoint),
                json=body_of(endpoint),
                headers={b"X-Namespace": namespace.encode()},
            )
            assert_refused(answer, 400, "invalid_namespace", endpoint)


@pytest.mark.parametrize("endpoint", TAKES_VERSION, ids=name_of)
async def test_a_namespace_that_does_not_exist_is_not_found(api: Server, endpoint: Endpoint) -> None:
    answer = await ask(api, endpoint, X_Namespace="elsewhere")
    body = assert_refused(answer, 404, "namespace_not_found", endpoint)
    assert body["namespace"] == "elsewhere"


@pytest.mark.parametrize("endpoint", NAMES_SOMETHING, ids=name_of)
async def test_a_namespace_is_lower_cased(api: Server, endpoint: Endpoint) -> None:
    answer = await ask(api, endpoint, X_Namespace="DEFAULT")
    assert answer.status_code in (404, 412)
    assert answer.json()["reason"] != "namespace_not_found"


@pytest.mark.parametrize("endpoint", TAKES_BODY, ids=name_of)
async def test_what_is_no_json_document_is_malformed(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint), **{"Content-Type": "application/json"}) as asking:
        for body in MALFORMED:
            answer = await asking.request(endpoint.method, url_of(asking, endpoint), content=body)
            assert_refused(answer, 400, "malformed_json", endpoint)


@pytest.mark.parametrize("endpoint", TAKES_BODY, ids=name_of)
async def test_a_body_of_another_media_type_is_refused(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint), **{"Content-Type": "text/plain"}) as asking:
        answer = await asking.request(endpoint.method, url_of(asking, endpoint), content=b"{}")
    assert_refused(answer, 415, "unsupported_media_type", endpoint)


@pytest.mark.parametrize("endpoint", TAKES_BODY, ids=name_of)
@pytest.mark.parametrize("announced", [True, False], ids=["content-length", "chunked"])
async def test_a_body_beyond_the_limit_is_too_large(api: Server, endpoint: Endpoint, announced: bool) -> None:
    async def chunks() -> Any:
        for _ in range(LIMIT // 65_536 + 1):
            yield b" " * 65_536

    async with client(api, role_of(endpoint), **{"Content-Type": "application/json"}) as asking:
        content = b" " * (LIMIT + 1) if announced else chunks()
        answer = await asking.request(endpoint.method, url_of(asking, endpoint), content=content)
        body = assert_refused(answer, 413, "payload_too_large", endpoint)
        assert body["limit"] == LIMIT
        assert (await asking.get(f"{api.url}/api/health")).status_code == 200


@pytest.mark.parametrize("content_type", ["application/json; charset=utf-8", "Application/Problem+JSON"])
async def test_json_may_go_by_other_names(api: Server, content_type: str) -> None:
    async with client(api, "operator", **{"Content-Type": content_type}) as operator:
        answer = await operator.post("/workflows/nowhere/cancel", content=b"{}")
    assert answer.json()["reason"] == "instance_not_found"


@pytest.mark.parametrize(
    "path",
    ["/", "/api", "/api/", "/api/workflows/", "/api/workflows//cancel", "/api/worker/nothing", "/nothing"],
)
async def test_an_unknown_path_is_not_found(api: Server, path: str) -> None:
    async with client(api, "operator") as operator:
        answer = await operator.get(f"{api.url}{path}")
    assert (answer.status_code, answer.json()["reason"]) == (404, "not_found")


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=name_of)
async def test_another_method_is_not_allowed(api: Server, endpoint: Endpoint) -> None:
    async with client(api, role_of(endpoint)) as asking:
        answer = await asking.request("PATCH", url_of(asking, endpoint))
    assert (answer.status_code, answer.json()["reason"]) == (405, "method_not_allowed")
    assert endpoint.method in answer.headers["Allow"].split(", ")


async def test_the_payload_is_guarded_before_the_token_and_the_token_before_the_version(api: Server) -> None:
    async with httpx.AsyncClient(base_url=api.url) as nobody:
        json = {"Content-Type": "application/json"}
        malformed = await nobody.post("/api/workflows", content=b"{", headers=json)
        unknown = await nobody.post("/api/workflows", content=b"[]", headers=json)
    assert malformed.json()["reason"] == "malformed_json"
    assert unknown.json()["reason"] == "unauthorized"
    async with client(api, "operator") as operator:
        del operator.headers["X-Durable-Workflow-Control-Plane-Version"]
        unversioned = await operator.post("/workflows", json=[], headers={"X-Namespace": "a/b"})
    assert unversioned.json()["reason"] == "missing_control_plane_version"
