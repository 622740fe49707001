"""Server processes of a test's own, and a look at what they leave behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests import invariants
from tests.engines.databases import Database
from tests.engines.server import Server

Serve = Callable[..., Server]
"""Starts a server; its keyword arguments are environment variables."""


@contextmanager
def servers(database: Database, directory: Path) -> Iterator[Serve]:
    """A function that starts servers on a database.

    At the end they are stopped, and the independent reader looks at the database.
    """
    started: list[Server] = []

    def serve(**environment: str) -> Server:
        folder = directory / f"server{len(started) + 1}"
        folder.mkdir()
        started.append(Server(database.app_url, folder, **environment))
        return started[-1]

    try:
        yield serve
    finally:
        for server in started:
            server.stop()
    with invariants.reader(database) as read:
        invariants.check(read())
