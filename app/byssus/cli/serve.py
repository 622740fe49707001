"""`byssus serve`: one server process."""

from __future__ import annotations

import os
import socket

import click

from byssus import logs, schema, server
from byssus.cli.options import database_option
from byssus.database_url import engine_of, masked
from byssus.settings import Settings, SettingsError, load


@click.command()
@database_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0 takes a free one."
)
@click.option("--upgrade", is_flag=True, help="Upgrade the database first (always done on SQLite).")
def serve(database: str, host: str, port: int, upgrade: bool) -> None:
    """Serve the HTTP API on a database."""
    try:
        settings = load(os.environ, {"DW_DATABASE_URL": database})
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    logs.configure(settings.log_level)
    if upgrade or engine_of(database) == "sqlite":
        _upgrade(database)
    listening = _listen(host, port)
    click.echo(_greeting(settings, listening))
    server.run(settings, listening)


def _upgrade(database: str) -> None:
    try:
        schema.upgrade(database)
    except schema.SchemaFault as error:
        raise click.ClickException(str(error)) from error


def _listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), backlog=2048)
    except OSError as error:
        raise click.ClickException(f"Cannot listen on {host} port {port}: {error.strerror}") from error


def _greeting(settings: Settings, listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    url = f"http://{host}:{port}"
    return (
        f"Byssus serves on {url}\n"
        f"  database   {masked(settings.database_url)}\n"
        f"  ready?     {url}/api/ready\n"
        f"  try it     byssus demo --url {url}"
    )
