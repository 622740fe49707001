"""The OpenAPI document says what the server does: requests made from it get the answers that it names."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from byssus.http import openapi
from byssus.http.endpoints import ENDPOINTS, Endpoint
from tests.engines.server import Server
from tests.http.clients import CONTROL

REQUESTS = 12
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

_schema = schemathesis.openapi.from_dict(openapi.document())
_schema.config.generation.modes = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]


def test_the_document_is_served_to_everybody(api: Server) -> None:
    answer = httpx.get(f"{api.url}/schema")
    assert answer.status_code == 200
    assert answer.json() == openapi.document()


def test_every_endpoint_is_an_operation_of_its_own() -> None:
    operations = [
        operation["operationId"]
        for path in openapi.document()["paths"].values()
        for operation in path.values()
    ]
    assert len(operations) == len(set(operations)) == len(ENDPOINTS)


@pytest.fixture(scope="module")
def known(api: Server) -> dict[str, str]:
    """Ids of things that are there, by the names that paths have for them."""
    headers = {"Authorization": f"Bearer {api.tokens['admin']}", **CONTROL}
    started = httpx.post(
        f"{api.url}/api/workflows", headers=headers, json={"workflow_type": "order", "task_queue": "q"}
    ).json()
    return {"workflow_id": started["workflow_id"], "run_id": started["run_id"]}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda row: f"{row.method} {row.path}")
def test_requests_get_the_answers_that_it_names(
    api: Server, known: dict[str, str], endpoint: Endpoint
) -> None:
    """Right and wrong requests, for things that are there and for others."""
    role = "worker" if endpoint.plane == "worker" else "admin"
    headers = {"Authorization": f"Bearer {api.tokens[role]}"}

    @given(case=_schema[endpoint.path][endpoint.method].as_strategy())
    @settings(
        max_examples=REQUESTS,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        if len(case.path_parameters.get("workflow_id", "x")) % 2:
            case.path_parameters.update({k: v for k, v in known.items() if k in case.path_parameters})
        response = case.call(base_url=api.url, headers=headers)
        case.validate_response(response, checks=CHECKS)

    ask()
