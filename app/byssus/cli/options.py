"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from byssus.database_url import engine_of, mysql_options

Command = TypeVar("Command", bound=Callable[..., Any])


class DatabaseUrl(click.ParamType[str]):
    """A URL whose scheme Byssus knows."""

    name = "url"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The URL itself; fails with a sentence for the user when it is not one."""
        try:
            if engine_of(value) == "mysql":
                mysql_options(value)
        except (ValueError, OSError) as error:
            self.fail(str(error), param, ctx)
        return value


def database_option(command: Command) -> Command:
    """`--database URL`, or the variable DW_DATABASE_URL."""
    return click.option(
        "--database",
        type=DatabaseUrl(),
        envvar="DW_DATABASE_URL",
        required=True,
        help="sqlite:///path, postgresql://user:password@host/name or mysql://user:password@host/name.",
    )(command)
