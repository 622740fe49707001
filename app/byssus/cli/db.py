"""`byssus db`: the schema of a database."""

from __future__ import annotations

import sys

import click

from byssus import schema
from byssus.cli.options import database_option
from byssus.database_url import engine_of


@click.group()
def db() -> None:
    """Upgrade a database, check it, or print the upgrade as SQL."""


@db.command()
@database_option
def upgrade(database: str) -> None:
    """Bring a database to this release. Safe to repeat."""
    try:
        state = schema.upgrade(database)
    except schema.SchemaFault as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"The schema is at revision {state.revision}, as this release needs it.")


@db.command()
@database_option
def check(database: str) -> None:
    """Compare a database with this release; exit with 1 and name every difference if there is one."""
    try:
        drift = schema.check(database)
    except schema.SchemaFault as error:
        raise click.ClickException(str(error)) from error
    for difference in drift:
        click.echo(difference)
    if drift:
        sys.exit(1)
    click.echo("The schema, its routines and grants are as shipped.")


@db.command()
@database_option
@click.option(
    "--from", "start", metavar="REVISION", help="The revision the database is at (default: it is empty)."
)
def script(database: str, start: str | None) -> None:
    """Print the upgrade as SQL to review and run, for the engine of the URL. Connects to nothing."""
    try:
        click.echo(schema.script(engine_of(database), start), nl=False)
    except schema.SchemaFault as error:
        raise click.ClickException(str(error)) from error
