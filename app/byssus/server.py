"""A server process: the application over a store, served by uvicorn."""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import suppress
from functools import partial

import structlog
import uvicorn

from byssus import schema
from byssus.http.application import Application
from byssus.http.joined_writes import JoiningProtocol
from byssus.settings import Settings
from byssus.store import Store, connect

KEEP_ALIVE_SECONDS = 75
GRACE_SECONDS = 30

_log = structlog.get_logger()


def create_app(settings: Settings, store: Store) -> Application:
    """The ASGI application. Its lifespan opens and closes the store."""
    return Application(settings, store, partial(schema.verdict, url=settings.database_url))


def run(settings: Settings, listening: socket.socket) -> None:
    """Serve on a socket until SIGTERM or SIGINT.

    On the signal held polls are answered, running requests finish (for up to 30 seconds), and the store is
    closed. Exits the process with status 1 when the store cannot be opened.
    """
    app = create_app(settings, connect(settings.database_url, pool_size=settings.database_pool_size))
    config = uvicorn.Config(
        app,
        http=JoiningProtocol,
        ws="none",
        proxy_headers=False,
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )
    server = _Server(config, app)
    # Once it has stopped, uvicorn sends itself the signal again: by then there is nothing left to do.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: None)
    with suppress(SystemExit):
        server.run(sockets=[listening])
    if not server.started:
        sys.exit(1)


class _Server(uvicorn.Server):
    """Uvicorn, with held polls answered before it waits for running requests."""

    def __init__(self, config: uvicorn.Config, app: Application) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, and cut nothing in the middle."""
        _log.info("stopping")
        self._app.close_polls()
        await super().shutdown(sockets)
        _log.info("stopped")
