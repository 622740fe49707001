from __future__ import annotations

import pytest

from byssus.errors import Refused
from byssus.http.auth import Authenticator
from byssus.http.endpoints import CLIENT, ENDPOINTS, EVERYONE, WORKER, Endpoint
from byssus.settings import load

ROLE_TOKENS = {"DW_WORKER_TOKEN": "w", "DW_OPERATOR_TOKEN": "o", "DW_ADMIN_TOKEN": "a"}


def endpoint_of(roles: tuple[str, ...]) -> Endpoint:
    return next(endpoint for endpoint in ENDPOINTS if endpoint.roles == roles)


def code(environment: dict[str, str], authorization: bytes, roles: tuple[str, ...]) -> str | None:
    """The refusal, or None when the request may pass."""
    authenticator = Authenticator(load({"DW_DATABASE_URL": "sqlite:///x", **environment}))
    try:
        authenticator.check(authorization, endpoint_of(roles))
    except Refused as refused:
        return refused.code
    return None


@pytest.mark.parametrize(
    ("token", "roles", "refusal"),
    [
        ("w", WORKER, None),
        ("w", CLIENT, "forbidden"),
        ("w", EVERYONE, None),
        ("o", WORKER, "forbidden"),
        ("o", CLIENT, None),
        ("a", WORKER, "forbidden"),
        ("a", CLIENT, None),
        ("shared", WORKER, "forbidden"),
        ("shared", CLIENT, None),
        ("nobody", CLIENT, "unauthorized"),
        ("W", WORKER, "unauthorized"),
        ("", WORKER, "unauthorized"),
    ],
)
def test_role_tokens_open_the_routes_of_their_role(
    token: str, roles: tuple[str, ...], refusal: str | None
) -> None:
    environment = {**ROLE_TOKENS, "DW_AUTH_TOKEN": "shared"}
    assert code(environment, f"Bearer {token}".encode(), roles) == refusal


@pytest.mark.parametrize("roles", [WORKER, CLIENT, EVERYONE])
def test_the_shared_token_opens_everything_while_no_role_token_is_set(roles: tuple[str, ...]) -> None:
    assert code({"DW_AUTH_TOKEN": "shared"}, b"Bearer shared", roles) is None


def test_the_shared_token_does_not_count_without_backward_compatibility() -> None:
    environment = {**ROLE_TOKENS, "DW_AUTH_TOKEN": "shared", "DW_AUTH_BACKWARD_COMPATIBLE": "false"}
    assert code(environment, b"Bearer shared", CLIENT) == "unauthorized"


@pytest.mark.parametrize(
    "authorization",
    [b"", b"w", b"Basic w", b"Bearer", b"Bearer ", b"Bearer  ", b"Bearer w w", b"Bearer \xff"],
)
def test_what_is_no_bearer_token_is_unauthorized(authorization: bytes) -> None:
    assert code(ROLE_TOKENS, authorization, WORKER) == "unauthorized"


def test_the_scheme_may_be_written_in_any_case() -> None:
    assert code(ROLE_TOKENS, b"bEARER w", WORKER) is None


def test_without_authentication_everything_is_open() -> None:
    assert code({"DW_AUTH_DRIVER": "none"}, b"", WORKER) is None


def test_a_refused_role_is_told_which_ones_are_allowed() -> None:
    authenticator = Authenticator(load({"DW_DATABASE_URL": "sqlite:///x", **ROLE_TOKENS}))
    with pytest.raises(Refused) as caught:
        authenticator.check(b"Bearer w", endpoint_of(CLIENT))
    assert caught.value.members == {"role": "worker", "allowed_roles": ["operator", "admin"]}
