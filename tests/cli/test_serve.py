"""`byssus serve` as a process."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from byssus import schema
from tests.engines.databases import Databases
from tests.engines.server import Server


def _serve(*options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "byssus.cli", "serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)


def test_sqlite_is_upgraded_by_serving(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'var' / 'byssus.db'}"
    server = Server(url, tmp_path)
    try:
        assert httpx.get(f"{server.url}/api/ready").status_code == 200
    finally:
        server.stop()
    assert schema.check(url) == []


@pytest.mark.engines("postgresql")
def test_a_postgresql_server_is_not_ready_until_the_database_is_upgraded(
    databases: Databases, tmp_path: Path
) -> None:
    with databases.empty() as database:
        server = Server(database.app_url, tmp_path)
        try:
            refusal = httpx.get(f"{server.url}/api/ready")
            assert refusal.status_code == 503
            assert f"byssus db upgrade --database '{database.app_url}'" in refusal.text
            schema.upgrade(database.url)
            assert httpx.get(f"{server.url}/api/ready").status_code == 200
        finally:
            server.stop()


@pytest.mark.engines("postgresql")
def test_a_postgresql_database_is_upgraded_on_request(databases: Databases, tmp_path: Path) -> None:
    with databases.empty() as database:
        server = Server(database.url, tmp_path, "--upgrade")
        try:
            assert httpx.get(f"{server.url}/api/ready").status_code == 200
        finally:
            server.stop()


def test_a_port_that_is_taken_is_one_line_and_an_exit_code(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        serve = _serve("--database", f"sqlite:///{tmp_path / 'a.db'}", "--port", port, DW_AUTH_DRIVER="none")
    assert serve.returncode == 1
    assert serve.stderr.startswith(f"Error: Cannot listen on 127.0.0.1 port {port}: Address already in use")
    assert "Traceback" not in serve.stderr


def test_a_bad_setting_is_one_line_and_an_exit_code(tmp_path: Path) -> None:
    serve = _serve("--database", f"sqlite:///{tmp_path / 'a.db'}", DW_AUTH_DRIVER="none", DW_LOG_LEVEL="loud")
    assert serve.returncode == 1
    assert serve.stderr.startswith("Error: DW_LOG_LEVEL: ")


def test_sigterm_ends_the_process_with_status_0(server: Server) -> None:
    server.stop()
    assert server.process.returncode == 0
