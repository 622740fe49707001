"""The same steps on several engines: every answer, and in the end every table, must be equal."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pprint import pformat
from typing import Any

from byssus.store import Store, connect
from byssus.store.answer import Answer
from byssus.store.transitions import TRANSITIONS, Transition
from tests import invariants
from tests.engines.clock import START, Clock
from tests.engines.databases import Database, Databases
from tests.parity.emptying import emptying, with_second_namespace
from tests.parity.names import Names

Arguments = dict[str, str | int | None]
Step = tuple[float, str, Arguments]
"""Seconds by which the clock is moved first, a transition, and its arguments, with ids as symbols."""

_BY_NAME = {transition.name: transition for transition in TRANSITIONS}
_UNCHANGED = "namespaces"
"""A table that no transition writes."""

_ONLY_MYSQL = "open_deadline_at"
"""A generated column that stands in for a partial index."""

_COUNTS = "sticky_counts"
"""A table whose rows are one per database connection: only their sums are the same."""

_LISTS = {"backoff_seconds", "non_retryable_error_types", "workflow_types", "activity_types", "capabilities"}
"""Columns that are arrays on PostgreSQL and JSON texts elsewhere."""

_NOTHING_SWEPT = '{"count":0,"more":false}'

_ROUTINES = re.compile('"routines":(null|"[0-9a-f]+")')
"""A checksum that is each dialect's own."""


class Difference(AssertionError):
    """Engines disagree: on what, after which steps, and which symbols were new in the answer of each step."""

    def __init__(self, what: str, details: str, steps: list[Step], made: list[list[str]]) -> None:
        self.what = what
        self.steps = steps
        self.made = made
        written = pformat(steps, width=110, sort_dicts=False)
        super().__init__(f"{what}\n{details}\n\nAs tests/parity/regressions.py keeps it:\n{written}")


@dataclass
class Side:
    """One engine: a database that is emptied for every sequence, and a store that stays open."""

    database: Database
    clock: Clock
    store: Store
    read: Callable[[], invariants.Tables]
    empty: Callable[[], None]
    names: Names = field(default_factory=Names)

    def reset(self) -> None:
        """Begin a sequence."""
        self.empty()
        self.clock.set(START)
        self.names = Names()

    async def call(self, seconds: float, transition: Transition, arguments: Arguments) -> list[Answer]:
        """The answers, with symbols for ids. A fault is an answer too, and no two engines word it alike."""
        await asyncio.to_thread(self.clock.advance, seconds)
        real = {
            name: self.names.real(value) if isinstance(value, str) else value
            for name, value in arguments.items()
        }
        try:
            answers = await self.store.call(transition, real)
        except Exception as fault:
            return [Answer(f"fault on {self.database.engine}", repr(fault), None)]
        return [self._symbolic(answer) for answer in answers]

    def tables(self) -> dict[str, list[str]]:
        """Every row of every table, in the one form that all engines share."""
        tables = self.read()
        for run in sorted(tables["runs"], key=lambda row: str(row["run_id"])):
            self.names.symbolic(run["run_id"])  # those that no answer has shown, in the order of their start
        return {
            name: sorted(self._row(row) for row in rows)
            for name, rows in {**tables, _COUNTS: _summed(tables[_COUNTS])}.items()
            if name != _UNCHANGED
        }

    def _symbolic(self, answer: Answer) -> Answer:
        hints = None if answer.hints is None else self.names.symbolic(answer.hints)
        body = _ROUTINES.sub('"routines":"..."', answer.body)
        return Answer(answer.outcome, self.names.symbolic(body), hints)

    def _row(self, row: invariants.Row) -> str:
        shared = {name: _shared_form(name, value) for name, value in row.items() if name != _ONLY_MYSQL}
        return self.names.symbolic(json.dumps(shared, sort_keys=True, ensure_ascii=False))


def _summed(rows: list[invariants.Row]) -> list[invariants.Row]:
    """The counts of all connections together, by namespace and second."""
    keys = ("namespace", "counted_at")
    sums: dict[tuple[Any, ...], Counter[str]] = {}
    for row in rows:
        counts = {name: int(value) for name, value in row.items() if name not in (*keys, "connection_number")}
        sums.setdefault(tuple(row[key] for key in keys), Counter()).update(counts)
    return [dict(zip(keys, key, strict=True)) | counts for key, counts in sums.items()]


def _shared_form(column: str, value: Any) -> Any:
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, bool):
        return int(value)
    if column in _LISTS and isinstance(value, str):
        return json.loads(value)
    return value


class Comparison:
    """Several sides, the first of which is what the others are compared with."""

    def __init__(self, sides: list[Side], runner: asyncio.Runner) -> None:
        self._sides = sides
        self._runner = runner
        self._steps: list[Step] = []
        self._made: list[list[str]] = []
        self.outcomes: Counter[tuple[str, str]] = Counter()
        """How often each transition has had each outcome, and what its carried parts got.

        A sweep that found nothing counts by itself.
        """
        self.events: Counter[str] = Counter()
        """How many events of each type the histories had in the end."""
        self.count = 0
        """How many calls were compared."""

    def reset(self) -> None:
        """Begin a sequence: empty databases, the clock at its start."""
        self._steps = []
        self._made = []
        for side in self._sides:
            side.reset()

    def perform(self, step: Step) -> list[Answer]:
        """The answers of the next step. Raises Difference when the engines do not answer alike."""
        known = len(self._sides[0].names.symbols)
        reference, *others = self._runner.run(self._call_all(step))
        self._steps.append(step)
        self._made.append(self._sides[0].names.symbols[known:])
        self.count += 1
        self.outcomes.update((step[1], outcome) for answer in reference for outcome in _outcomes(answer))
        for side, answers in zip(self._sides[1:], others, strict=True):
            if answers != reference:
                raise self._difference(f"the answer of {step[1]}", side, reference, answers)
        return reference

    def finish(self) -> None:
        """End a sequence. Raises Difference when tables are not equal, or all are wrong."""
        reference = self._sides[0].tables()
        for side in self._sides[1:]:
            tables = side.tables()
            for name in sorted(reference.keys() | tables.keys()):
                here, there = Counter(reference.get(name, [])), Counter(tables.get(name, []))
                if here != there:
                    raise self._difference(f"the table {name}", side, list(here - there), list(there - here))
        rows = self._sides[0].read()
        self.events.update(row["event_type"] for row in rows["history_events"])
        try:
            invariants.check(rows)
        except AssertionError as error:
            raise Difference("an invariant", str(error), self._steps, self._made) from None

    def replay(self, steps: list[Step]) -> None:
        """Perform a whole sequence."""
        self.reset()
        for step in steps:
            self.perform(step)
        self.finish()

    async def _call_all(self, step: Step) -> list[list[Answer]]:
        seconds, name, arguments = step
        transition = _BY_NAME[name]
        return await asyncio.gather(*(side.call(seconds, transition, arguments) for side in self._sides))

    def _difference(self, what: str, side: Side, expected: object, found: object) -> Difference:
        here, there = self._sides[0].database.engine, side.database.engine
        details = f"{here}:\n{pformat(expected, width=110)}\n{there}:\n{pformat(found, width=110)}"
        return Difference(what, details, self._steps, self._made)


def _outcomes(answer: Answer) -> Iterator[str]:
    yield "swept nothing" if answer.body == _NOTHING_SWEPT else answer.outcome
    if answer.outcome != "completed":
        return
    body = json.loads(answer.body)
    if (continued := body.get("continuation")) is not None:
        yield f"and continuation {continued['reason'] or continued['outcome']}"
    for part in ("workflow_poll", "activity_poll"):
        if (polled := body.get(part)) is not None:
            yield f"and {part} {polled['poll_status']}{' with tail' if 'history_tail' in polled else ''}"


@contextmanager
def comparison(databases: Mapping[str, Databases]) -> Iterator[Comparison]:
    """A comparison of these engines, its stores open."""
    with ExitStack() as stack:
        runner = stack.enter_context(asyncio.Runner())
        sides = [_open_side(stack, runner, of_engine) for of_engine in databases.values()]
        yield Comparison(sides, runner)


def _open_side(stack: ExitStack, runner: asyncio.Runner, databases: Databases) -> Side:
    database, clock = stack.enter_context(databases.clocked())
    with_second_namespace(database)
    store = connect(database.app_url, clock=clock)
    runner.run(store.open())
    stack.callback(lambda: runner.run(store.close()))
    read = stack.enter_context(invariants.reader(database))
    empty = stack.enter_context(emptying(database, set(read()) - {_UNCHANGED}))
    return Side(database, clock, store, read, empty)
