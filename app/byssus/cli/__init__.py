"""The command line: `byssus serve`, `byssus db`, `byssus audit`, `byssus demo`."""

from __future__ import annotations

import click

import byssus
from byssus.cli.audit import audit
from byssus.cli.db import db
from byssus.cli.demo import demo
from byssus.cli.serve import serve


@click.group()
@click.version_option(byssus.__version__, prog_name="byssus")
def main() -> None:
    """A durable-workflow server whose every state transition is a stored procedure."""


main.add_command(serve)
main.add_command(db)
main.add_command(audit)
main.add_command(demo)
