"""The API as an OpenAPI 3.1 document, made from the table of endpoints and the structs of its requests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

import msgspec

from byssus import __version__
from byssus.http.endpoints import ENDPOINTS, Endpoint
from byssus.http.validation import MAX_IDENTIFIER_BYTES
from byssus.http.versions import (
    CONTROL_PLANE_HEADER,
    CONTROL_PLANE_VERSION,
    WORKER_PROTOCOL,
    WORKER_PROTOCOL_HEADER,
)

OpenApi = dict[str, Any]

_REF = "#/components/schemas/{name}"
_REFUSAL = {"$ref": _REF.format(name="Refusal")}
_SUCCESS: dict[str, OpenApi] = {"application/json": {"type": "object"}, "text/plain": {"type": "string"}}
_PARAMETER = re.compile(r"{(\w+)}")

# What every request may be answered with, whatever it asks for.
_OF_TOKENS = (401, 403)
_OF_BODIES = (400, 413, 415, 422)
_OF_TRANSITIONS = (400, 404, 409, 422, 503)
_OF_COMMANDS = (413, 429, 504)
_OF_WORKERS = (410, 412)


def document() -> OpenApi:
    """The OpenAPI document of this server."""
    structs = [endpoint.request for endpoint in ENDPOINTS if endpoint.request is not None]
    _, components = msgspec.json.schema_components(structs, ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Byssus", "version": __version__, "description": "A durable-workflow server."},
        "paths": _paths(),
        "components": {
            "schemas": {**components, "Refusal": _refusal_schema()},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _paths() -> OpenApi:
    paths: OpenApi = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return paths


def _operation(endpoint: Endpoint) -> OpenApi:
    operation: OpenApi = {
        "operationId": _operation_id(endpoint),
        "tags": [endpoint.plane],
        "parameters": list(_parameters(endpoint)),
        "responses": _responses(endpoint),
    }
    if endpoint.plane != "open":
        operation["security"] = [{"token": []}]
        operation["x-roles"] = list(endpoint.roles)
    if endpoint.request is not None:
        schema = {"$ref": _REF.format(name=endpoint.request.__name__)}
        operation["requestBody"] = {"content": {"application/json": {"schema": schema}}}
    return operation


def _operation_id(endpoint: Endpoint) -> str:
    """Unique: what the operation is called, and by which path it is reached."""
    words = [part.strip("{}") for part in endpoint.path.split("/") if part not in ("", "api")]
    return "_".join([endpoint.operation, endpoint.method.lower(), *words]).replace("-", "_")


def _parameters(endpoint: Endpoint) -> Iterator[OpenApi]:
    for name in _PARAMETER.findall(endpoint.path):
        identifier = {"type": "string", "minLength": 1, "maxLength": MAX_IDENTIFIER_BYTES}
        yield {"name": name, "in": "path", "required": True, "schema": identifier}
    if endpoint.plane == "worker":
        yield _header(WORKER_PROTOCOL_HEADER, WORKER_PROTOCOL)
    elif endpoint.plane == "control":
        yield _header(CONTROL_PLANE_HEADER, CONTROL_PLANE_VERSION)
    if endpoint.plane in ("worker", "control"):
        yield {"name": "X-Namespace", "in": "header", "schema": {"type": "string"}}
    for name, schema in endpoint.query.items():
        yield {"name": name, "in": "query", "schema": schema}


def _header(name: bytes, version: str) -> OpenApi:
    return {"name": name.decode(), "in": "header", "required": True, "schema": {"enum": [version]}}


def _responses(endpoint: Endpoint) -> OpenApi:
    responses: OpenApi = {
        str(status): _response(status, endpoint.media_type, _SUCCESS[endpoint.media_type])
        for status in {200, *endpoint.statuses.values()}
    }
    for status in _refused_with(endpoint):
        responses.setdefault(str(status), _response(status, "application/json", _REFUSAL))
    return dict(sorted(responses.items()))


def _refused_with(endpoint: Endpoint) -> Iterable[int]:
    if endpoint.plane == "open":
        return (503,)
    statuses = [*_OF_TOKENS, 503]
    if endpoint.plane != "any":
        statuses += _OF_TRANSITIONS
    if endpoint.method != "GET":
        statuses += _OF_BODIES
    if endpoint.plane == "worker":
        statuses += _OF_WORKERS
    if endpoint.plane == "control":
        statuses += _OF_COMMANDS
    return statuses


def _response(status: int, media_type: str, schema: OpenApi) -> OpenApi:
    return {"description": HTTPStatus(status).phrase, "content": {media_type: {"schema": schema}}}


def _refusal_schema() -> OpenApi:
    return {
        "type": "object",
        "required": ["reason", "message"],
        "properties": {
            "reason": {"type": "string"},
            "message": {"type": "string"},
            "retryable": {"type": "boolean"},
            "retry_after_seconds": {"type": "integer"},
            "errors": {"type": "object"},
        },
    }
