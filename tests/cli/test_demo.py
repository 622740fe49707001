"""`byssus demo` against a real server."""

from __future__ import annotations

import subprocess
import sys

from tests.engines.server import Server


def _demo(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "byssus.cli", "demo", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


def test_the_demo_prints_the_history_of_a_run_that_completes(server: Server) -> None:
    tokens = ("--token", server.tokens["operator"], "--worker-token", server.tokens["worker"])
    demo = _demo("--url", server.url, *tokens)
    assert demo.returncode == 0, demo.stderr
    for event_type in (
        "WorkflowStarted",
        "ActivityRetryScheduled",
        "TimerFired",
        "SignalReceived",
        "WorkflowCompleted",
    ):
        assert event_type in demo.stdout
    assert "90.00 charged at attempt 3" in demo.stdout
    assert "shipped, approved by Byssa" in demo.stdout
    assert "\x1b[" not in demo.stdout


def test_the_demo_says_that_no_server_answers() -> None:
    demo = _demo("--url", "http://127.0.0.1:9")
    assert demo.returncode == 1
    assert demo.stderr.startswith("Error: http://127.0.0.1:9: ")
    assert "Traceback" not in demo.stderr


def test_the_demo_says_that_the_token_is_wrong(server: Server) -> None:
    demo = _demo("--url", server.url, "--token", "wrong")
    assert demo.returncode == 1
    assert demo.stderr.startswith(f"Error: {server.url}: ")
    assert "Traceback" not in demo.stderr
