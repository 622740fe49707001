"""The server's settings: environment variables, overridden by the options of the command line."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from byssus.database_url import engine_of
from byssus.namespaces import namespace_name

AuthDriver = Literal["none", "token"]
LogLevel = Literal["debug", "info", "warning", "error"]

_ROLE_TOKENS = ("DW_WORKER_TOKEN", "DW_OPERATOR_TOKEN", "DW_ADMIN_TOKEN")


class SettingsError(Exception):
    """A setting breaks its rule. The message names the variable and the rule, never the value."""

    def __init__(self, variable: str, rule: str) -> None:
        super().__init__(f"{variable}: {rule}")
        self.variable = variable
        self.rule = rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a server process is told. Times are in seconds, sizes in bytes."""

    database_url: str
    database_pool_size: int
    auth_driver: AuthDriver
    auth_token: str | None
    auth_backward_compatible: bool
    worker_token: str | None
    operator_token: str | None
    admin_token: str | None
    default_namespace: str
    server_id: str
    worker_poll_timeout: int
    workflow_task_timeout: int
    activity_task_timeout: int
    worker_heartbeat_interval_seconds: int
    worker_stale_after_seconds: int
    sticky_execution_enabled: bool
    sticky_execution_ttl_seconds: int
    sticky_hold_seconds: int
    sticky_poller_seconds: int
    max_payload_bytes: int
    max_memo_bytes: int
    max_search_attributes: int
    max_operation_name_length: int
    compression_enabled: bool
    sweep_interval_seconds: float
    maintenance_interval_seconds: float
    receipt_retention_seconds: int
    log_level: LogLevel


def load(environment: Mapping[str, str], overrides: Mapping[str, str | None] | None = None) -> Settings:
    """Read and check all settings. `overrides` are by variable name; None leaves a variable alone.

    An empty variable counts as absent. Raises SettingsError for the first setting that breaks its rule.
    """
    values = dict(environment)
    values.update({name: value for name, value in (overrides or {}).items() if value is not None})
    read = _Reader({name: value for name, value in values.items() if value})
    heartbeat_seconds = read.integer("DW_WORKER_HEARTBEAT_INTERVAL_SECONDS", 60, 1, 3600)
    settings = Settings(
        database_url=read.database_url(),
        database_pool_size=read.integer("DW_DATABASE_POOL_SIZE", 10, 1, 1000),
        auth_driver=cast(AuthDriver, read.choice("DW_AUTH_DRIVER", "token", ("none", "token"))),
        auth_token=read.token("DW_AUTH_TOKEN"),
        auth_backward_compatible=read.boolean("DW_AUTH_BACKWARD_COMPATIBLE", True),
        worker_token=read.token("DW_WORKER_TOKEN"),
        operator_token=read.token("DW_OPERATOR_TOKEN"),
        admin_token=read.token("DW_ADMIN_TOKEN"),
        default_namespace=read.namespace("DW_DEFAULT_NAMESPACE", "default"),
        server_id=read.text("DW_SERVER_ID") or socket.gethostname(),
        worker_poll_timeout=read.integer("DW_WORKER_POLL_TIMEOUT", 30, 0, 60),
        workflow_task_timeout=read.integer("DW_WORKFLOW_TASK_TIMEOUT", 60, 1, 86_400),
        activity_task_timeout=read.integer("DW_ACTIVITY_TASK_TIMEOUT", 300, 1, 604_800),
        worker_heartbeat_interval_seconds=heartbeat_seconds,
        worker_stale_after_seconds=read.integer(
            "DW_WORKER_STALE_AFTER_SECONDS", max(3 * heartbeat_seconds, 30), 1, 86_400
        ),
        sticky_execution_enabled=read.boolean("DW_V2_STICKY_EXECUTION_ENABLED", True),
        sticky_execution_ttl_seconds=read.integer("DW_V2_STICKY_EXECUTION_TTL_SECONDS", 300, 1, 3600),
        sticky_hold_seconds=read.integer("DW_STICKY_HOLD_SECONDS", 5, 0, 60),
        sticky_poller_seconds=read.integer("DW_STICKY_POLLER_SECONDS", 10, 2, 300),
        max_payload_bytes=read.integer("DW_MAX_PAYLOAD_BYTES", 2_097_152, 1024, 67_108_864),
        max_memo_bytes=read.integer("DW_MAX_MEMO_BYTES", 262_144, 0, 67_108_864),
        max_search_attributes=read.integer("DW_MAX_SEARCH_ATTRIBUTES", 100, 0, 10_000),
        max_operation_name_length=read.integer("DW_MAX_OPERATION_NAME_LENGTH", 256, 0, 1000),
        compression_enabled=read.boolean("DW_COMPRESSION_ENABLED", True),
        sweep_interval_seconds=read.seconds("DW_SWEEP_INTERVAL_SECONDS", 1.0),
        maintenance_interval_seconds=read.seconds("DW_MAINTENANCE_INTERVAL_SECONDS", 1.0),
        receipt_retention_seconds=read.integer("DW_RECEIPT_RETENTION_SECONDS", 86_400, 600, 31_536_000),
        log_level=cast(LogLevel, read.choice("DW_LOG_LEVEL", "info", ("debug", "info", "warning", "error"))),
    )
    _require_a_token(settings)
    return settings


def _require_a_token(settings: Settings) -> None:
    if settings.auth_driver == "none":
        return
    if settings.worker_token or settings.operator_token or settings.admin_token:
        return
    if settings.auth_token and settings.auth_backward_compatible:
        return
    raise SettingsError(
        "DW_AUTH_TOKEN",
        f"must be set (or one of {', '.join(_ROLE_TOKENS)}) while DW_AUTH_DRIVER is token; "
        "DW_AUTH_DRIVER=none turns authentication off",
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads typed values out of the variables that have one."""

    values: Mapping[str, str]

    def text(self, name: str) -> str | None:
        return self.values.get(name)

    def token(self, name: str) -> str | None:
        token = self.values.get(name)
        if token is not None and not (token.isascii() and token.isprintable() and token == token.strip()):
            raise SettingsError(name, "must be printable ASCII without blanks around it")
        return token

    def choice(self, name: str, default: str, choices: tuple[str, ...]) -> str:
        value = self.values.get(name, default).lower()
        if value not in choices:
            raise SettingsError(name, f"must be one of {', '.join(choices)}")
        return value

    def boolean(self, name: str, default: bool) -> bool:
        value = self.values.get(name, str(default)).lower()
        if value in ("1", "true", "yes", "on"):
            return True
        if value in ("0", "false", "no", "off"):
            return False
        raise SettingsError(name, "must be true or false")

    def integer(self, name: str, default: int, least: int, most: int) -> int:
        text = self.values.get(name, str(default))
        rule = f"must be a whole number from {least} to {most}"
        if not (text.isascii() and text.isdigit() and len(text) <= 12):
            raise SettingsError(name, rule)
        if not least <= int(text) <= most:
            raise SettingsError(name, rule)
        return int(text)

    def seconds(self, name: str, default: float) -> float:
        rule = "must be a number of seconds from 0.01 to 3600"
        try:
            value = float(self.values.get(name, default))
        except ValueError:
            raise SettingsError(name, rule) from None
        if not 0.01 <= value <= 3600:
            raise SettingsError(name, rule)
        return value

    def namespace(self, name: str, default: str) -> str:
        namespace = namespace_name(self.values.get(name, default))
        if namespace is None:
            raise SettingsError(name, "must be 1 to 128 of the characters A-Z a-z 0-9 . _ -")
        return namespace

    def database_url(self) -> str:
        url = self.values.get("DW_DATABASE_URL", "")
        try:
            engine_of(url)
        except ValueError:
            raise SettingsError(
                "DW_DATABASE_URL", "must begin with sqlite:///, postgresql:// or mysql://"
            ) from None
        return url
