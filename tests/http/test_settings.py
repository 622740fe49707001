from __future__ import annotations

import pytest

from byssus.settings import SettingsError, load

MINIMAL = {"DW_DATABASE_URL": "sqlite:///var/byssus.db", "DW_AUTH_TOKEN": "secret"}


def test_defaults_are_those_of_the_documentation() -> None:
    settings = load(MINIMAL)
    assert settings.worker_poll_timeout == 30
    assert settings.workflow_task_timeout == 60
    assert settings.activity_task_timeout == 300
    assert settings.max_payload_bytes == 2_097_152
    assert settings.receipt_retention_seconds == 86_400


def test_options_of_the_command_line_win_over_the_environment() -> None:
    settings = load(MINIMAL, {"DW_DATABASE_URL": "postgresql://db/other", "DW_AUTH_TOKEN": None})
    assert settings.database_url == "postgresql://db/other"
    assert settings.auth_token == "secret"


def test_an_empty_variable_counts_as_absent() -> None:
    assert load({**MINIMAL, "DW_WORKER_POLL_TIMEOUT": ""}).worker_poll_timeout == 30


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("DW_DATABASE_URL", "mongodb://hunter2@somewhere"),
        ("DW_AUTH_DRIVER", "hunter2"),
        ("DW_AUTH_TOKEN", "hunter2\n"),
        ("DW_WORKER_TOKEN", "hunter2 ü"),
        ("DW_DEFAULT_NAMESPACE", "hunter2/x"),
        ("DW_WORKER_POLL_TIMEOUT", "61"),
        ("DW_WORKER_POLL_TIMEOUT", "-1"),
        ("DW_WORKER_POLL_TIMEOUT", "٣"),
        ("DW_WORKFLOW_TASK_TIMEOUT", "0"),
        ("DW_ACTIVITY_TASK_TIMEOUT", "hunter2"),
        ("DW_MAX_PAYLOAD_BYTES", "12"),
        ("DW_SWEEP_INTERVAL_SECONDS", "nan"),
        ("DW_MAINTENANCE_INTERVAL_SECONDS", "0"),
        ("DW_COMPRESSION_ENABLED", "hunter2"),
        ("DW_LOG_LEVEL", "hunter2"),
    ],
)
def test_a_setting_that_breaks_its_rule_is_named_without_its_value(variable: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        load({**MINIMAL, variable: value})
    assert caught.value.variable == variable
    assert str(caught.value).startswith(f"{variable}: ")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "environment",
    [
        {"DW_DATABASE_URL": "sqlite:///x"},
        {**MINIMAL, "DW_AUTH_BACKWARD_COMPATIBLE": "false"},
    ],
)
def test_the_token_driver_wants_a_token(environment: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=r"^DW_AUTH_TOKEN: "):
        load(environment)


def test_no_token_is_needed_without_authentication() -> None:
    assert load({"DW_DATABASE_URL": "sqlite:///x", "DW_AUTH_DRIVER": "none"}).auth_driver == "none"
