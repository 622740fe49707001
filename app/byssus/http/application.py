"""The ASGI application: takes each request through the checks of its endpoint, and answers it."""

from __future__ import annotations

import asyncio
import itertools
import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import structlog

from byssus.errors import ERRORS, Refused
from byssus.http import discovery, health, metrics, openapi, polls
from byssus.http.auth import Authenticator
from byssus.http.call import Call, ClientGone, Receive
from byssus.http.endpoints import ENDPOINTS, Endpoint
from byssus.http.health import SchemaVerdict
from byssus.http.history import HistoryReads
from byssus.http.history_bundle import bundle
from byssus.http.pressure import Fault, control_fault, identity_of, worker_fault
from byssus.http.requests import (
    Headers,
    check_document,
    check_json,
    decode_body,
    namespace_of,
    read_body,
    read_headers,
    read_query,
)
from byssus.http.responses import (
    Response,
    Send,
    control_plane_member,
    not_allowed,
    refusal,
    refusal_members,
    send_response,
    with_members,
)
from byssus.http.routing import Routes, check_operation_name, decode_parameters
from byssus.http.validation import check_bytes, refusal_of
from byssus.http.versions import check_control_plane, check_worker_protocol
from byssus.maintenance import Maintenance
from byssus.settings import Settings
from byssus.store import Store
from byssus.store.answer import Answer
from byssus.store.errors import BackendLockPressure, BackendUnavailable, PayloadTooLarge, SchemaNotReady
from byssus.sweeps import Sweeps
from byssus.wakeups import Wakeups, run_transition

_log = structlog.get_logger()


@dataclass(slots=True)
class Exchange:
    """What is known of a request so far; refusals and the log line are made from it."""

    method: str
    headers: Headers
    request_id: str
    endpoint: Endpoint | None = None
    namespace: str = ""
    path: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


class Application:
    """The server: its HTTP side, its held polls and its maintenance loop over one store."""

    def __init__(self, settings: Settings, store: Store, schema_verdict: SchemaVerdict) -> None:
        self._settings = settings
        self._store = store
        self._schema_verdict = schema_verdict
        self._authenticator = Authenticator(settings)
        self._wakeups = Wakeups(store.notifier)
        self._polls = polls.Polls(store, self._wakeups)
        self._history = HistoryReads(store, self._wakeups)
        self._maintenance = Maintenance(settings, store, self._wakeups)
        self._sweeps = Sweeps(settings, store, self._wakeups, self._polls.waiting_workers)
        self._loops: list[asyncio.Task[None]] = []
        self._routes: Routes[Endpoint] = Routes([(endpoint, endpoint) for endpoint in ENDPOINTS])
        self._decoders = {
            endpoint.request: msgspec.json.Decoder(endpoint.request)
            for endpoint in ENDPOINTS
            if endpoint.request is not None
        }
        self._cluster_info = msgspec.json.encode(discovery.cluster_info(settings))
        self._openapi = msgspec.json.encode(openapi.document())
        self._capabilities = msgspec.Raw(msgspec.json.encode(discovery.server_capabilities(settings)))
        interval = settings.worker_heartbeat_interval_seconds
        self._extra_members = {
            "registered": b'"heartbeat_interval_seconds":%d' % interval,
            "acknowledged": b'"heartbeat_interval_seconds":%d' % interval,
        }
        self._request_ids = map(f"{os.getpid():x}-{uuid.uuid4().hex[:8]}-{{:x}}".format, itertools.count(1))

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one ASGI connection."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    async def start(self) -> None:
        """Open the store and begin the loops. Raises what the store raises."""
        await self._store.open()
        self._wakeups.start()
        self._loops = [
            asyncio.create_task(self._maintenance.run()),
            asyncio.create_task(self._sweeps.run()),
        ]

    def close_polls(self) -> None:
        """Answer everything that is held; from now on nothing is held any more."""
        self._polls.close()
        self._history.close()

    async def stop(self) -> None:
        """End the loops between two rounds, give back what nobody took, and close the store."""
        self.close_polls()
        self._maintenance.stop()
        self._sweeps.stop()
        await asyncio.gather(*self._loops)
        await self._polls.released()
        await self._wakeups.stop()
        await self._store.close()

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self.start()
        except Exception as fault:
            _log.error("start_failed", reason=str(fault))
            await send({"type": "lifespan.startup.failed", "message": str(fault)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        exchange = Exchange(scope["method"], read_headers(scope["headers"]), next(self._request_ids))
        response = await self._answer_or_refuse(exchange, scope, receive)
        if response is None:
            self._record(exchange, "client_gone", 499, started)
            return
        encodings = exchange.headers.accept_encoding if self._settings.compression_enabled else b""
        await send_response(response, exchange.endpoint, exchange.request_id, encodings, send)
        self._record(exchange, response.outcome, response.status, started)

    def _record(self, exchange: Exchange, outcome: str, status: int, started: float) -> None:
        endpoint = exchange.endpoint
        _log.info(
            "request",
            method=exchange.method,
            path=endpoint.path if endpoint is not None else None,
            transition=endpoint.transition.name if endpoint is not None and endpoint.transition else None,
            outcome=outcome,
            status=status,
            duration_ms=round((time.perf_counter() - started) * 1000, 2),
            request_id=exchange.request_id,
        )

    async def _answer_or_refuse(
        self, exchange: Exchange, scope: Mapping[str, Any], receive: Receive
    ) -> Response | None:
        """The answer, whatever happens; None when nobody is there any more to hear it."""
        try:
            return await self._answer(exchange, scope, receive)
        except ClientGone:
            return None
        except Refused as refused:
            return self._refuse(exchange, refused.code, refused.message, refused.members)
        except BackendLockPressure:
            return self._fault(exchange, "backend_lock_pressure")
        except BackendUnavailable:
            return self._fault(exchange, "backend_unavailable")
        except PayloadTooLarge:
            return self._refuse(exchange, "payload_too_large", None, {})
        except SchemaNotReady as fault:
            return self._refuse(exchange, "schema_not_ready", str(fault), {})
        except Exception:
            error_id = uuid.uuid4().hex
            _log.exception("request_failed", error_id=error_id, request_id=exchange.request_id)
            return self._refuse(exchange, "internal_error", None, {"error_id": error_id})

    async def _answer(self, exchange: Exchange, scope: Mapping[str, Any], receive: Receive) -> Response:
        rows, parameters = self._routes.find(scope["raw_path"])
        endpoint = rows.get(exchange.method)
        if endpoint is None:
            exchange.endpoint = None
            response = self._refuse(exchange, "method_not_allowed", None, {})
            response.headers = not_allowed(list(rows))
            return response
        exchange.endpoint = endpoint

        if endpoint.method != "GET":
            exchange.body = await self._read_body(exchange.headers, endpoint, receive)
        self._authenticator.check(exchange.headers.authorization, endpoint)
        if endpoint.plane in ("open", "any"):
            return await self._answer_about_server(endpoint.special)
        if endpoint.plane == "worker":
            check_worker_protocol(exchange.headers.worker_protocol)
        else:
            check_control_plane(exchange.headers.control_plane_version)
        query = read_query(scope["query_string"])
        exchange.namespace = namespace_of(exchange.headers, query, self._settings.default_namespace)
        exchange.path = decode_parameters(parameters)
        if "signal_name" in exchange.path:
            check_operation_name(
                "signal_name", exchange.path["signal_name"], self._settings.max_operation_name_length
            )
        if isinstance(exchange.body, msgspec.ValidationError):
            raise refusal_of(exchange.body)
        if exchange.body is not None:
            check_bytes(exchange.body)
        return await self._run(
            exchange,
            endpoint,
            Call(
                self._settings,
                exchange.namespace,
                exchange.path,
                query,
                exchange.body,
                exchange.headers.worker_protocol,
                receive,
            ),
        )

    async def _read_body(self, headers: Headers, endpoint: Endpoint, receive: Receive) -> Any:
        body = await read_body(headers, receive, self._settings.max_payload_bytes)
        if body:
            check_document(headers, body)
        if endpoint.request is not None:
            return decode_body(self._decoders[endpoint.request], body or b"{}")
        if body:
            check_json(body)
        return None

    async def _answer_about_server(self, special: str | None) -> Response:
        if special == "health":
            return await health.health(self._store)
        if special == "ready":
            return await health.ready(self._settings, self._store, self._schema_verdict)
        if special == "schema":
            return Response(200, self._openapi, "described")
        if special == "metrics":
            return await metrics.prometheus(self._settings, self._store)
        return Response(200, self._cluster_info, "described")

    async def _run(self, exchange: Exchange, endpoint: Endpoint, call: Call[Any]) -> Response:
        if endpoint.special == "operator_metrics":
            return await metrics.operator_metrics(self._settings, self._store, call.namespace)
        if endpoint.special == "workflow_poll":
            answer = await self._polls.poll(polls.WORKFLOW, call)
        elif endpoint.special == "activity_poll":
            answer = await self._polls.poll(polls.ACTIVITY, call)
        elif endpoint.special == "history":
            answer = await self._history.read(call)
        else:
            assert endpoint.arguments is not None
            assert endpoint.transition is not None
            arguments = endpoint.arguments(call)
            if endpoint.operation == "start":
                exchange.path = {"workflow_id": str(arguments["workflow_id"])}
            [answer] = await run_transition(self._store, self._wakeups, endpoint.transition, arguments)
        if answer.outcome == "exported":
            # Canonical form and digest of a large bundle take a while.
            return Response(200, await asyncio.to_thread(bundle, answer.body), answer.outcome)
        return self._response(exchange, endpoint, answer)

    def _response(self, exchange: Exchange, endpoint: Endpoint, answer: Answer) -> Response:
        status = endpoint.statuses.get(answer.outcome)
        if answer.outcome in ERRORS:
            members = refusal_members(answer.body)
            return self._refuse(exchange, answer.outcome, None, members, status)
        if endpoint.plane == "control":
            extra = control_plane_member(endpoint, exchange.path)
        else:
            extra = self._extra_members.get(answer.outcome, b"")
        return Response(status or 200, with_members(answer.body, extra), answer.outcome)

    def _refuse(
        self,
        exchange: Exchange,
        code: str,
        message: str | None,
        members: Mapping[str, object],
        status: int | None = None,
    ) -> Response:
        text = message or ERRORS[code].message
        return refusal(code, text, members, exchange.endpoint, exchange.path, self._capabilities, status)

    def _fault(self, exchange: Exchange, fault: Fault) -> Response:
        endpoint = exchange.endpoint
        if endpoint is None or endpoint.plane != "worker":
            members = control_fault(fault, uuid.uuid4().hex, self._store.engine)
            return self._refuse(exchange, fault, None, members)
        identity = identity_of(exchange.path, exchange.body)
        status, members = worker_fault(
            fault, endpoint.operation, identity, exchange.namespace, self._store.engine
        )
        return self._refuse(exchange, fault, None, members, status)
