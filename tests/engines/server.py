"""A real `byssus serve` process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

TOKENS = {"worker": "worker-token", "operator": "operator-token", "admin": "admin-token"}


class Server:
    """A server process on a free port of 127.0.0.1. `tokens` has one token per role."""

    def __init__(self, database_url: str, directory: Path, *options: str, **environment: str) -> None:
        self.tokens = TOKENS
        self._options = options
        self.database_url = database_url
        self.log = directory / "server.log"
        self._environment = _environment() | environment
        self.url = ""
        self.process = self._start(port="0")

    def restart(self) -> None:
        """End the process if it still runs, and start another on the same port."""
        self.stop()
        self.process = self._start(port=self.url.rpartition(":")[2])

    def stop(self) -> None:
        """Ask the process to end, and wait for it."""
        self.process.terminate()
        self.process.wait(timeout=60)

    def kill(self) -> None:
        """End the process at once (SIGKILL)."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=60)

    def _start(self, port: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "byssus.cli", "serve", "--database", self.database_url]
        with self.log.open("ab") as log:
            begin = log.tell()
            process = subprocess.Popen(
                [*command, "--host", "127.0.0.1", "--port", port, *self._options],
                env=self._environment,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
        try:
            self._wait_until_healthy(process, begin)
        except BaseException:
            process.kill()
            raise
        return process

    def _wait_until_healthy(self, process: subprocess.Popen[bytes], begin: int) -> None:
        deadline = time.monotonic() + 60
        while not self._is_healthy(begin):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{self._output(begin)}")
            time.sleep(0.02)

    def _is_healthy(self, begin: int) -> bool:
        for line in self._output(begin).splitlines():
            if line.startswith("Byssus serves on "):
                self.url = line.removeprefix("Byssus serves on ").split()[0]
                return _answers(self.url)
        return False

    def _output(self, begin: int) -> str:
        return self.log.read_bytes()[begin:].decode(errors="replace")


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/api/health", timeout=5).status_code == 200
    except httpx.TransportError:
        return False


def _environment() -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DW_")}
    roles = {f"DW_{role.upper()}_TOKEN": token for role, token in TOKENS.items()}
    return inherited | roles | {"DW_AUTH_DRIVER": "token", "PYTHONUNBUFFERED": "1"}
