"""MariaDB and MySQL servers: MariaDB from Debian's packages, MySQL from the machine or unpacked beside it.

`python -m tests.engines.mysql` fetches a MySQL server where there is none.
"""

from __future__ import annotations

import getpass
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote

import pymysql

from tests.engines import mysql_packages

SUPERUSER = "root"

_SETTINGS = {
    "bind_address": "127.0.0.1",
    "skip_log_bin": "",
    "max_connections": "200",
    "innodb_buffer_pool_size": "256M",
    # Tests do not outlive a power cut; what survives a killed server process is not weakened by this.
    "innodb_flush_log_at_trx_commit": "2",
    # What a server of our own choice would not have: the installer and the sessions must not depend on it.
    "character_set_server": "latin1",
    "sql_mode": "",
    "performance_schema": "OFF",
}
_MYSQL_SETTINGS = {"mysqlx": "OFF", "secure_file_priv": "NULL"}


@dataclass(frozen=True)
class Installation:
    """How to run the server of one installation: the words before its options."""

    engine: str
    command: tuple[str, ...]


def find_installation(engine: str) -> Installation | str:
    """The installation of `mariadb` (10.11 or newer) or `mysql` (8.4 or newer), or how to get it."""
    if engine == "mariadb":
        server = _program("mariadbd")
        if server and _program("mariadb-install-db") and _version(server) >= (10, 11):
            return Installation(engine, (server,))
        return "apt-get install mariadb-server-core mariadb-client-core (10.11 or newer)"
    server = _program("mysqld")
    if server and _version(server) >= (8, 4) and "MariaDB" not in _version_text(server):
        return Installation(engine, (server,))
    return _unpacked(mysql_packages.directory()) or "python -m tests.engines.mysql (needs Debian's apt)"


def _program(name: str) -> str | None:
    return shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/libexec")


@cache
def _version_text(server: str) -> str:
    return subprocess.run([server, "--version"], check=True, capture_output=True, text=True).stdout


def _version(server: str) -> tuple[int, ...]:
    found = re.search(r"Ver (\d+)\.(\d+)", _version_text(server))
    return tuple(map(int, found.groups())) if found else ()


def _unpacked(root: Path) -> Installation | None:
    """A server unpacked with all its libraries, which the loader beside them brings together."""
    loaders = sorted((root / "usr" / "lib64").glob("ld-linux-*.so.*")) or sorted(
        (root / "usr" / "lib").glob("ld-linux-*.so.*")
    )
    server = root / "usr" / "sbin" / "mysqld"
    if not loaders or not server.exists():
        return None
    libraries = ":".join(str(folder) for folder in sorted((root / "usr" / "lib").glob("*-linux-gnu")))
    options = (f"--basedir={root / 'usr'}", f"--plugin-dir={root / 'usr/lib/mysql/plugin'}")
    return Installation("mysql", (str(loaders[0]), "--library-path", libraries, str(server), *options))


class MysqlServer:
    """A running server in a folder of its own. `settings` go before those of tests."""

    def __init__(self, installation: Installation, **settings: str) -> None:
        self.engine = installation.engine
        self._settings = _SETTINGS | (_MYSQL_SETTINGS if self.engine == "mysql" else {}) | settings
        # A socket's path has to be short.
        self.directory = Path(tempfile.mkdtemp(prefix=f"byssus-{self.engine}-", dir="/tmp"))
        self.socket = self.directory / "socket"
        self.port = _free_port()
        self._data = self.directory / "data"
        # Servers that start clear their folder for temporary files, so each has its own.
        self._temporary = self.directory / "temporary"
        self._temporary.mkdir()
        self._command = _with_folder_options(installation.command, self._data, self._temporary)
        if self.engine == "mariadb":
            self._install_mariadb()
        else:
            self._install_mysql()
        self._process = self._start()
        self._wait_until_ready()

    def url(self, database: str = "mysql", user: str = SUPERUSER, password: str = "") -> str:
        """The URL of a database on this server, for one of its users."""
        login = f"{user}:{quote(password, safe='')}" if password else user
        return f"mysql://{login}@localhost/{database}?unix_socket={quote(str(self.socket), safe='')}"

    def connect(self, database: str | None = None) -> pymysql.Connection[pymysql.cursors.Cursor]:
        """A superuser's connection in autocommit mode."""
        return pymysql.connect(
            unix_socket=str(self.socket),
            user=SUPERUSER,
            database=database,
            charset="utf8mb4",
            autocommit=True,
        )

    def restart(self) -> None:
        """Kill the server in the middle of whatever it does, and start it again with what it has kept."""
        self._kill()
        self._process = self._start()
        self._wait_until_ready()

    def stop(self) -> None:
        """End the server, whoever is connected, and remove its folder."""
        self._kill()
        shutil.rmtree(self.directory)

    def _kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(timeout=30)

    def _install_mariadb(self) -> None:
        program = _program("mariadb-install-db")
        assert program is not None
        subprocess.run(
            [
                program,
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--skip-name-resolve",
                f"--datadir={self._data}",
                f"--user={getpass.getuser()}",
                "--innodb-flush-log-at-trx-commit=0",
            ],
            check=True,
            capture_output=True,
        )

    def _install_mysql(self) -> None:
        subprocess.run([*self._command, "--initialize-insecure"], check=True, capture_output=True)

    def _start(self) -> subprocess.Popen[bytes]:
        settings = [
            f"--{name}" if name.startswith("skip_") else f"--{name}={value}"
            for name, value in self._settings.items()
        ]
        # The server goes when this process goes, however that happens.
        with (self.directory / "log").open("wb") as log:
            return subprocess.Popen(
                [
                    *("setpriv", "--pdeathsig=TERM", *self._command, *settings),
                    *(f"--socket={self.socket}", f"--port={self.port}"),
                ],
                stdout=log,
                stderr=log,
                cwd=self.directory,
            )

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.connect().close()
            except pymysql.err.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
            else:
                return


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _with_folder_options(command: tuple[str, ...], data: Path, temporary: Path) -> list[str]:
    """The command for one server's folders. The servers want `--no-defaults` before any other option."""
    program = [
        word for word in command if not word.startswith("--basedir") and not word.startswith("--plugin")
    ]
    options = [word for word in command if word not in program]
    folders = [f"--datadir={data}", f"--tmpdir={temporary}"]
    return [*program, "--no-defaults", *options, *folders, f"--user={getpass.getuser()}"]


if __name__ == "__main__" and isinstance(find_installation("mysql"), str):
    mysql_packages.fetch(mysql_packages.directory())
