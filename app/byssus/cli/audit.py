"""`byssus audit`: what is wrong with the data of a database."""

from __future__ import annotations

import sys

import click
import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from byssus.audit import AuditFault, Findings, Report
from byssus.audit import audit as run_audit
from byssus.audit.report import SUBJECTS, Finding
from byssus.cli.options import database_option
from byssus.namespaces import namespace_name

_SUBJECT_NAMES = {"namespace": "namespace", "workflow_id": "workflow", "run_id": "run", "worker_id": "worker"}


class _Unchecked(click.ClickException):
    """The audit could not be made."""

    exit_code = 2


class NamespaceName(click.ParamType[str]):
    """The name of a namespace."""

    name = "name"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is stored; fails with a sentence for the user when it is not one."""
        name = namespace_name(value)
        if name is None:
            self.fail(f"{value!r} is not the name of a namespace", param, ctx)
        return name


@click.command()
@database_option
@click.option("--namespace", type=NamespaceName(), help="Report on this namespace alone.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="How many findings of each check to show.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def audit(database: str, namespace: str | None, limit: int, as_json: bool) -> None:
    """Check live data: histories, runs, tasks, activities, leases, rows without an owner.

    Reads one snapshot; writers do not wait. Exits with 0 when nothing is found, 1 when something is, and 2
    when the database could not be checked.
    """
    try:
        report = run_audit(database, namespace, limit)
    except AuditFault as error:
        raise _Unchecked(str(error)) from error
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report.document())))
    else:
        _print(report)
    sys.exit(1 if report.count else 0)


def _print(report: Report) -> None:
    console = Console(highlight=False)
    damaged = [found for found in report.findings if found.count]
    for found in damaged:
        _print_findings(console, found)
    if damaged:
        console.print(_summary(damaged))
    looked_at = f"{len(report.findings)} checks, {report.runs} runs"
    console.print(f"{report.count or 'Nothing'} found in {looked_at}.", markup=False)


def _summary(damaged: list[Findings]) -> Table:
    table = Table("check", "found", box=SIMPLE_HEAD)
    for found in damaged:
        table.add_row(found.check.code, str(found.count))
    return table


def _print_findings(console: Console, found: Findings) -> None:
    console.print(Text(found.check.code, style="bold"))
    console.print(Text(found.check.sentence))
    if found.examples:
        console.print(_examples(found))
    if len(found.examples) < found.count:
        console.print(Text(f"... and {found.count - len(found.examples)} more"))
    console.print()


def _examples(found: Findings) -> Table:
    subjects = [name for name in SUBJECTS if any(name in example for example in found.examples)]
    table = Table(*(_SUBJECT_NAMES[name] for name in subjects), "details", box=SIMPLE_HEAD)
    for column, name in zip(table.columns, subjects, strict=False):
        column.overflow = "fold"
        column.no_wrap = name == "run_id"
    for example in found.examples:
        table.add_row(*(_shown(example.get(name, "")) for name in subjects), _details(example))
    return table


def _details(example: Finding) -> Text:
    details = {name: value for name, value in example.items() if name not in SUBJECTS}
    return _shown(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in details.items()))


def _shown(value: object) -> Text:
    """A value from the database, which may be anything, as text that leaves the terminal alone."""
    return Text("".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in str(value)))
