"""Bearer tokens and what their roles may do."""

from __future__ import annotations

from hmac import compare_digest

from byssus.errors import Refused
from byssus.http.endpoints import WORKER, Endpoint, Role
from byssus.settings import Settings


class Authenticator:
    """Tells the role of a request by its token, in constant time for each token that is configured."""

    def __init__(self, settings: Settings) -> None:
        self._open = settings.auth_driver == "none"
        tokens: list[tuple[Role, str | None]] = [
            ("worker", settings.worker_token),
            ("operator", settings.operator_token),
            ("admin", settings.admin_token),
        ]
        self._tokens = [(role, token.encode()) for role, token in tokens if token]
        shared = settings.auth_token if settings.auth_backward_compatible else None
        self._shared = shared.encode() if shared else None
        self._shared_may_work = not self._tokens

    def check(self, authorization: bytes, endpoint: Endpoint) -> None:
        """Refuse a request without a valid token (401), or whose role may not use the endpoint (403)."""
        if self._open or not endpoint.roles:
            return
        scheme, _, token = authorization.partition(b" ")
        given = token.strip() if scheme.lower() == b"bearer" else b""
        role = self._role_of(given)
        if role is None:
            raise Refused("unauthorized")
        if role in endpoint.roles:
            return
        if role == "admin" and endpoint.roles == WORKER and self._shared_may_work:
            return
        raise Refused("forbidden", role=role, allowed_roles=list(endpoint.roles))

    def _role_of(self, given: bytes) -> Role | None:
        if not given:
            return None
        for role, token in self._tokens:
            if compare_digest(given, token):
                return role
        if self._shared is not None and compare_digest(given, self._shared):
            return "admin"
        return None
