"""The command line: measures on each engine and prints a table for each."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from statistics import median

from benchmarks import machine
from benchmarks.merged_counts import counted
from benchmarks.merged_rounds import Line, Rounds, Stretch
from benchmarks.servers import ENGINES

_WORKFLOW_TYPES = ("activities", "local activities")
_MILLISECONDS = 1000.0

Figure = Callable[[Stretch], float | None]

_ROWS: tuple[tuple[str, Figure, str], ...] = (
    ("seconds, all", lambda s: s.seconds, ".1f"),
    ("CPU ms: all processes", lambda s: s.cpu_seconds * _MILLISECONDS, ".0f"),
    ("  the server", lambda s: s.server_cpu_seconds * _MILLISECONDS, ".0f"),
    ("  the workers", lambda s: s.workers_cpu_seconds * _MILLISECONDS, ".0f"),
    ("requests of workers", lambda s: s.requests_of_workers, ".2f"),
    ("  workflow tasks polled", lambda s: s.request("claim_workflow_task"), ".2f"),
    ("  workflow tasks completed", lambda s: s.request("complete_workflow_task"), ".2f"),
    ("  their leases renewed", lambda s: s.request("heartbeat_workflow_task"), ".2f"),
    ("  activities polled", lambda s: s.request("claim_activity_task"), ".2f"),
    ("  activities completed", lambda s: s.request("complete_activity"), ".2f"),
    ("requests with starts", lambda s: s.requests_in_all, ".2f"),
    ("empty polls, all", lambda s: s.empty_polls, ".0f"),
    ("statements for workers", lambda s: s.statements_of_workers, ".2f"),
    ("  per request", lambda s: s.statements_per_request, ".2f"),
    ("  per completion", lambda s: s.statements_per_completion, ".3f"),
    ("statements of loops", lambda s: s.statements_of_loops, ".2f"),
    ("notifications", lambda s: s.notifications, ".2f"),
    ("commits", lambda s: s.commits, ".2f"),
    ("  per request", lambda s: s.commits_per_request, ".2f"),
    ("workflow tasks carried", lambda s: s.carried_workflow_tasks, ".2f"),
    ("activities carried", lambda s: s.carried_activity_tasks, ".2f"),
    ("continuations applied", lambda s: s.continuations_applied, ".2f"),
    ("continuations refused, all", lambda s: s.refusals, ".0f"),
)


def main() -> None:
    """Measure, then print tables or JSON."""
    options = _options()
    facts, lines = machine.machine(), []
    for engine in options.engines:
        with tempfile.TemporaryDirectory() as directory:
            lines += _on_engine(engine, options, facts, Path(directory))
    if options.json:
        print(json.dumps({"machine": facts, "measured": [asdict(line) for line in lines]}, indent=2))
    else:
        _print(facts, lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What merged transitions save.")
    parser.add_argument("--engines", type=_engines, default=ENGINES, help=f"default {','.join(ENGINES)}")
    parser.add_argument("--workflows", type=int, default=200, help="of each stretch (default 200)")
    parser.add_argument("--rounds", type=int, default=2, help="turns of both modes (default 2)")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser.parse_args()


def _engines(text: str) -> list[str]:
    engines = text.split(",")
    if unknown := set(engines).difference(ENGINES):
        raise argparse.ArgumentTypeError(f"unknown: {', '.join(sorted(unknown))}")
    return engines


def _on_engine(engine: str, options: argparse.Namespace, facts: machine.Facts, directory: Path) -> list[Line]:
    with (
        counted(engine, facts, directory) as database,
        closing(Rounds(engine, database, directory)) as rounds,
    ):
        return [
            line
            for workflow_type in _WORKFLOW_TYPES
            for line in rounds.run(workflow_type, options.workflows, options.rounds)
        ]


def _print(facts: machine.Facts, lines: list[Line]) -> None:
    for name, value in facts.items():
        print(f"{name:42} {value}")
    for merged, unmerged in zip(lines[::2], lines[1::2], strict=True):
        name = f"{merged.engine}, five {merged.workflow_type}"
        print(f"\n{name:34}{'merged':>11}{'unmerged':>11}{'ratio':>9}")
        for title, figure, form in _ROWS:
            _print_row(title, merged, unmerged, figure, form)
        for stretch in merged.stretches:
            if stretch.continuations_refused:
                print(f"refused continuations: {stretch.continuations_refused}")


def _print_row(title: str, merged: Line, unmerged: Line, figure: Figure, form: str) -> None:
    values = [median(line.of(figure)) if line.of(figure) else None for line in (merged, unmerged)]
    if None in values:
        return
    shown = [f"{value:{form}}" for value in values]
    ratio = merged.ratio_to(unmerged, figure)
    print(f"{title:34}{shown[0]:>11}{shown[1]:>11}{'' if ratio is None else f'{ratio:.2f}':>9}")
