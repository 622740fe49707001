"""Workers that merge and workers that do not, measured in turns on one server."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec

from benchmarks.cpu_time import cpu_seconds
from benchmarks.merged_counts import LOOPS, NOTIFICATION, Counted, requests
from tests.engines.server import Server
from tests.sdk.rig import unique

WORKERS = 6
_WARM_UP_SHARE = 10
_LONGEST_SECONDS = 300
_ROOT = Path(__file__).parents[1]

_POLLS = ("claim_workflow_task", "claim_activity_task")
_COMPLETIONS = ("complete_workflow_task", "complete_activity")
_OF_WORKERS = (*_POLLS, *_COMPLETIONS, "heartbeat_workflow_task", "read_history_page", "fail_workflow_task")
_EMPTY = ("empty", "client_gone")


class _Merged(msgspec.Struct):
    """What a worker says that it has merged."""

    continuations_applied: int
    continuations_refused: dict[str, int]
    carried_workflow_tasks: int
    carried_activity_tasks: int


@dataclass
class Stretch:
    """What one mode did in one round. All counts but those of empty polls are of one workflow.

    `requests` and `statements` are by transition: requests but the polls that brought nothing, which are
    `empty_polls`. `statements` is None where they are not counted.
    """

    seconds: float
    cpu_seconds: float
    server_cpu_seconds: float
    workers_cpu_seconds: float
    requests: dict[str, float]
    empty_polls: int
    statements: dict[str, float] | None
    commits: float
    carried_workflow_tasks: float
    carried_activity_tasks: float
    continuations_applied: float
    continuations_refused: dict[str, int]

    @property
    def requests_of_workers(self) -> float:
        """Those about tasks, but for polls that brought nothing."""
        return sum(self.requests.get(name, 0) for name in _OF_WORKERS)

    @property
    def requests_in_all(self) -> float:
        """Those of workers, and the starts."""
        return self.requests_of_workers + self.requests.get("start_run", 0)

    @property
    def statements_of_workers(self) -> float | None:
        """Calls that claim, renew or answer tasks."""
        return self._statements(_OF_WORKERS)

    @property
    def statements_per_request(self) -> float | None:
        """Calls for workers and starts, of all requests but polls that brought nothing."""
        statements = self._statements((*_OF_WORKERS, "start_run"))
        return None if statements is None else statements / self.requests_in_all

    @property
    def statements_of_loops(self) -> float | None:
        """Calls that the server makes of itself."""
        return self._statements(LOOPS)

    @property
    def notifications(self) -> float | None:
        """Statements that tell other servers something."""
        return self._statements((NOTIFICATION,))

    @property
    def statements_per_completion(self) -> float | None:
        """Calls that complete something, by the requests that do."""
        statements = self._statements(_COMPLETIONS)
        return None if statements is None else statements / sum(map(self.request, _COMPLETIONS))

    @property
    def commits_per_request(self) -> float:
        """Of all requests but polls that brought nothing."""
        return self.commits / self.requests_in_all

    @property
    def refusals(self) -> int:
        """Continuations that were refused."""
        return sum(self.continuations_refused.values())

    def request(self, name: str) -> float:
        """Requests of one transition."""
        return self.requests.get(name, 0)

    def _statements(self, names: Iterable[str]) -> float | None:
        if self.statements is None:
            return None
        return sum(self.statements.get(name, 0) for name in names)


@dataclass
class Line:
    """The stretches of one kind of workflow in one mode, one per round."""

    engine: str
    workflow_type: str
    merged: bool
    stretches: list[Stretch] = field(default_factory=list)

    def of(self, figure: Callable[[Stretch], float | None]) -> list[float]:
        """A figure of all rounds; empty where it is not counted."""
        values = [figure(stretch) for stretch in self.stretches]
        return [value for value in values if value is not None]

    def ratio_to(self, other: Line, figure: Callable[[Stretch], float | None]) -> float | None:
        """The median of the ratios within each round; None where there is nothing to compare."""
        pairs = zip(self.of(figure), other.of(figure), strict=True)
        ratios = [mine / its for mine, its in pairs if its]
        return median(ratios) if ratios else None


class Rounds:
    """Measures on one server and its database."""

    def __init__(self, engine: str, counted: Counted, directory: Path) -> None:
        self._engine = engine
        self._counted = counted
        self._server = Server(counted.database.app_url, directory)

    def close(self) -> None:
        """End the server."""
        self._server.stop()

    def run(self, workflow_type: str, workflows: int, rounds: int) -> list[Line]:
        """Both modes in each round, merged first in the first round and last in the second."""
        lines = [Line(self._engine, workflow_type, merged) for merged in (True, False)]
        for number in range(rounds):
            for line in lines if number % 2 == 0 else reversed(lines):
                mode = "merged" if line.merged else "unmerged"
                print(f"{self._engine}, {workflow_type}, round {number + 1}, {mode} ...", file=sys.stderr)
                line.stretches.append(self._stretch(workflow_type, line.merged, workflows))
        return lines

    def _stretch(self, workflow_type: str, merged: bool, workflows: int) -> Stretch:
        """A warm-up of workers that have just been started, then what counts."""
        warm_up = max(workflows // _WARM_UP_SHARE, 1)
        with self._workers(unique("queue"), merged) as workers:
            self._play(workers, workflow_type, warm_up)
            self._counted.settle()
            before = self._so_far()
            cpu_before = self._cpu_seconds(workers)
            seconds = self._play(workers, workflow_type, workflows)
            cpu = [late - early for late, early in zip(self._cpu_seconds(workers), cpu_before, strict=True)]
            said = workers.stop()
        now = self._so_far()
        asked = now.requests - before.requests
        statements = None
        if now.statements is not None and before.statements is not None:
            called = now.statements - before.statements
            statements = {name: number / workflows for name, number in called.items()}
        played = warm_up + workflows
        return Stretch(
            seconds=seconds,
            cpu_seconds=cpu[0] / workflows,
            server_cpu_seconds=cpu[1] / workflows,
            workers_cpu_seconds=cpu[2] / workflows,
            requests=_by_transition(asked, workflows),
            empty_polls=sum(
                n for (name, outcome), n in asked.items() if name in _POLLS and outcome == "empty"
            ),
            statements=statements,
            commits=(now.commits - before.commits) / workflows,
            carried_workflow_tasks=sum(each.carried_workflow_tasks for each in said) / played,
            carried_activity_tasks=sum(each.carried_activity_tasks for each in said) / played,
            continuations_applied=sum(each.continuations_applied for each in said) / played,
            continuations_refused=dict(
                sum((Counter(each.continuations_refused) for each in said), Counter())
            ),
        )

    @contextmanager
    def _workers(self, queue: str, merged: bool) -> Iterator[Workers]:
        """Workers that have registered. They end with the block, if they have not before."""
        begin = self._server.log.stat().st_size
        workers = Workers(self._server, queue, merged)
        try:
            _until(lambda: self._registered(begin) == WORKERS, "all workers have registered")
            yield workers
        finally:
            workers.kill()

    def _registered(self, begin: int) -> int:
        return requests(self._server.log, begin)["register_worker", "registered"]

    def _play(self, workers: Workers, workflow_type: str, workflows: int) -> float:
        """Start so many workflows and wait for their end; how long that took, by the database's clock."""
        prefix = unique("wf")
        subprocess.run(
            _command(
                "start",
                self._server.url,
                self._server.tokens["operator"],
                *(workers.queue, workflow_type, prefix, str(workflows)),
            ),
            check=True,
            cwd=_ROOT,
        )
        _until(lambda: self._counted.ended(prefix).workflows == workflows, "all workflows have ended well")
        return self._counted.ended(prefix).seconds

    def _so_far(self) -> _SoFar:
        return _SoFar(requests(self._server.log), self._counted.statements(), self._counted.commits())

    def _cpu_seconds(self, workers: Workers) -> list[float]:
        """Of everything, of the server, and of the workers."""
        return [cpu_seconds(), cpu_seconds(self._server.process.pid), workers.cpu_seconds()]


class Workers:
    """Worker processes on one queue."""

    def __init__(self, server: Server, queue: str, merged: bool) -> None:
        self.queue = queue
        command = _command("work", server.url, server.tokens["worker"], queue, str(merged))
        self._processes = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=_ROOT)
            for _ in range(WORKERS)
        ]

    def cpu_seconds(self) -> float:
        """Their CPU time so far."""
        return sum(cpu_seconds(process.pid) for process in self._processes)

    def stop(self) -> list[_Merged]:
        """Ask them to end; what they have merged."""
        for process in self._processes:
            process.terminate()
        said = [process.communicate(timeout=60)[0] for process in self._processes]
        return [msgspec.json.decode(each, type=_Merged) for each in said]

    def kill(self) -> None:
        """End those that still run."""
        for process in self._processes:
            process.kill()
            process.wait()


class _SoFar(NamedTuple):
    requests: Counter[tuple[str, str]]
    statements: Counter[str] | None
    commits: int


def _by_transition(asked: Counter[tuple[str, str]], workflows: int) -> dict[str, float]:
    """Requests of one workflow by transition, but polls that brought nothing."""
    counts: Counter[str] = Counter()
    for (name, outcome), number in asked.items():
        if name not in _POLLS or outcome not in _EMPTY:
            counts[name] += number
    return {name: number / workflows for name, number in counts.items()}


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.merged_program", *arguments]


def _until(is_so: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + _LONGEST_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise RuntimeError(f"not within {_LONGEST_SECONDS} seconds: {what}")
        time.sleep(0.1)
