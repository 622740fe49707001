"""Alembic, driven from here: no alembic.ini, no command of its own."""

from __future__ import annotations

import io
import sqlite3
from typing import TypeAlias

import psycopg
import pymysql
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from byssus import assets
from byssus.database_url import Engine

MysqlConnection: TypeAlias = "pymysql.Connection[pymysql.cursors.Cursor]"
DriverConnection: TypeAlias = "psycopg.Connection[tuple[object, ...]] | sqlite3.Connection | MysqlConnection"

_DIALECT_URLS: dict[Engine, str] = {
    "postgresql": "postgresql+psycopg://",
    "sqlite": "sqlite://",
    "mysql": "mysql+pymysql://",
}


def head() -> str:
    """The revision of this release."""
    revision = _scripts().get_current_head()
    assert revision is not None
    return revision


def is_known(revision: str) -> bool:
    """Whether this release has that revision; one that it does not know was made by a later release."""
    return any(script.revision == revision for script in _scripts().walk_revisions())


def upgrade_to_head(connection: DriverConnection, engine: Engine) -> None:
    """Apply the missing revisions in a driver's session.

    A transaction for each, on SQLite one for all; on MySQL each commits step by step.
    """
    carrier = create_engine(_DIALECT_URLS[engine], creator=lambda: connection, poolclass=StaticPool)
    config = _config()
    with carrier.connect() as carried:
        config.attributes["connection"] = carried
        if engine == "sqlite":
            with carried.begin():
                carried.exec_driver_sql("begin immediate")
                command.upgrade(config, "head")
        else:
            command.upgrade(config, "head")


def offline_sql(engine: Engine, start: str | None) -> str:
    """The revisions after `start` (None: from nothing) to head as SQL text."""
    output = io.StringIO()
    config = _config(output)
    config.attributes["dialect"] = engine
    command.upgrade(config, f"{start or 'base'}:head", sql=True)
    return output.getvalue()


def _config(output: io.StringIO | None = None) -> Config:
    config = Config(output_buffer=output)
    config.set_main_option("script_location", str(assets.path("migrations")).replace("%", "%%"))
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
