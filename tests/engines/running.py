"""The servers of a test process, each started when it is first asked for."""

from __future__ import annotations

from pathlib import Path

from tests.engines import mysql, postgresql
from tests.engines.databases import Databases, PostgresDatabases, SqliteDatabases
from tests.engines.mysql import MysqlServer
from tests.engines.mysql_databases import MysqlDatabases
from tests.engines.postgresql import PostgresServer
from tests.engines.selection import MYSQL


class Engines:
    """The engines that tests have asked for, started when first asked for."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._started: dict[str, Databases] = {}
        self._servers: list[PostgresServer | MysqlServer] = []

    def databases(self, engine: str) -> Databases:
        """Makes databases on an engine."""
        if engine not in self._started:
            self._started[engine] = self._start(engine)
        return self._started[engine]

    def _start(self, engine: str) -> Databases:
        if engine == "sqlite":
            return SqliteDatabases(self._directory)
        server = _mysql_server(engine) if engine in MYSQL else _postgres_server(engine)
        self._servers.append(server)
        return MysqlDatabases(server) if isinstance(server, MysqlServer) else PostgresDatabases(server)

    def stop(self) -> None:
        """End all servers."""
        for databases in self._started.values():
            databases.close()
        for server in self._servers:
            server.stop()


def _mysql_server(engine: str) -> MysqlServer:
    installation = mysql.find_installation(engine)
    assert not isinstance(installation, str)
    return MysqlServer(installation)


def _postgres_server(engine: str) -> PostgresServer:
    installation = postgresql.find_installation(engine)
    assert not isinstance(installation, str)
    return PostgresServer(installation)
