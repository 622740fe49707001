"""Databases for measurements, on servers that keep what they acknowledge and have the room that it takes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg
import uvloop

from benchmarks import machine
from byssus.store import Store, connect
from tests.engines import mysql, postgresql
from tests.engines.databases import Database, PostgresDatabases
from tests.engines.mysql import MysqlServer
from tests.engines.mysql_databases import MysqlDatabases
from tests.engines.postgresql import PostgresServer

ENGINES = ("postgresql", "mysql", "mariadb", "sqlite")

_DURABLE = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "shared_buffers": "256MB",
    "max_wal_size": "4GB",
}
_DURABLE_INNODB = {
    "innodb_flush_log_at_trx_commit": "1",
    "innodb_buffer_pool_size": "1G",
    "innodb_io_capacity": "10000",
    "innodb_io_capacity_max": "20000",
}
_DURABLE_MYSQL = {
    "mysql": {
        "innodb_redo_log_capacity": "1G",
        # As MySQL is out of the box: it keeps a binary log, which it flushes too, and watches itself.
        "log_bin": "binlog",
        "sync_binlog": "1",
        "log_bin_trust_function_creators": "ON",
        "performance_schema": "ON",
    },
    # As MariaDB is out of the box: it does neither.
    "mariadb": {"innodb_log_file_size": "1G"},
}


@contextmanager
def postgresql_server(facts: machine.Facts, settings: dict[str, str]) -> Iterator[PostgresServer]:
    """A PostgreSQL server of its own, which `facts` are told of.

    Ends the program when PostgreSQL is not on this machine.
    """
    installation = postgresql.find_installation("postgresql15")
    if isinstance(installation, str):
        sys.exit(f"PostgreSQL 15 is not on this machine: {installation}")
    server = PostgresServer(installation, **settings)
    try:
        facts |= machine.postgresql(server.binaries, server.directory, _postgresql_settings(server.url()))
        yield server
    finally:
        server.stop()


@contextmanager
def postgresql_database(facts: machine.Facts, **settings: str) -> Iterator[tuple[PostgresServer, Database]]:
    """An upgraded database on such a server, with room; more settings go to the server."""
    with (
        postgresql_server(facts, _DURABLE | settings) as server,
        closing(PostgresDatabases(server)) as databases,
        databases.upgraded() as database,
    ):
        yield server, database


@contextmanager
def mysql_database(
    engine: str, facts: machine.Facts, **settings: str
) -> Iterator[tuple[MysqlServer, Database]]:
    """The same on a server of MySQL or MariaDB."""
    installation = mysql.find_installation(engine)
    if isinstance(installation, str):
        sys.exit(f"{engine} is not on this machine: {installation}")
    server = MysqlServer(installation, **(_DURABLE_INNODB | _DURABLE_MYSQL[engine] | settings))
    try:
        facts |= machine.mysql(engine, server.directory, _mysql_settings(server))
        with closing(MysqlDatabases(server)) as databases, databases.upgraded() as database:
            yield server, database
    finally:
        server.stop()


@contextmanager
def open_store(url: str, pool_size: int) -> Iterator[tuple[asyncio.Runner, Store]]:
    """An event loop like the server's, and a store open in it."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        store = connect(url, pool_size=pool_size)
        runner.run(store.open())
        yield runner, store
        runner.run(store.close())


def _postgresql_settings(url: str) -> dict[str, str]:
    with psycopg.connect(url) as connection:
        return dict(connection.execute("select name, current_setting(name) from pg_settings").fetchall())


def _mysql_settings(server: MysqlServer) -> dict[str, str]:
    with closing(server.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("show global variables")
        return dict(cursor.fetchall())
