"""The engines that are compared: how each is set up in a database, started, and made to play workflows."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, LiteralString, Protocol
from urllib.parse import urlsplit

import msgspec

from benchmarks.five_steps_load import Load, Played
from tests.engines.databases import Database, PostgresDatabases
from tests.engines.server import Server

_ROOT = Path(__file__).parents[1]
_STARTERS = 4


class Program:
    """A process that plays as many workflows as it is told to. Raises RuntimeError when it ends too soon."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=_ROOT
        )
        self.pid = self._process.pid
        if self._line().strip() != "ready":
            raise RuntimeError(f"{command[1]} is not ready")

    def play(self, workflows: int) -> Played:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{workflows}\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._line(), type=Played)

    def stop(self) -> None:
        """End the process; one that reads no numbers is told to by a signal."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"a program has ended with {self._process.wait()}")
        return line


@dataclass(frozen=True)
class Running:
    """An engine that runs: what makes it play, and the processes that are the engine.

    Where the caller of workflows and the engine are one process, that is the engine.
    """

    player: Program
    engine: list[int]

    @property
    def has_load(self) -> bool:
        """Whether what makes it play is a process of its own."""
        return self.player.pid not in self.engine


class Engine(Protocol):
    """One line of the table."""

    @property
    def name(self) -> str:
        """For the table."""

    @property
    def finished(self) -> LiteralString:
        """A query for the number of workflows that have ended well."""

    def database(self, databases: PostgresDatabases) -> AbstractContextManager[Database]:
        """A new database with the engine's schema."""

    def running(self, database: Database, directory: Path) -> AbstractContextManager[Running]:
        """The engine's processes."""


@dataclass(frozen=True)
class Byssus:
    """A `byssus serve` process with stock settings, and workers that play as `way` says."""

    name: str
    way: str
    slots: int
    finished: ClassVar[LiteralString] = "select count(*) from byssus.runs where status = 'completed'"

    @contextmanager
    def database(self, databases: PostgresDatabases) -> Iterator[Database]:
        with databases.upgraded() as database:
            yield database

    @contextmanager
    def running(self, database: Database, directory: Path) -> Iterator[Running]:
        server = Server(database.app_url, directory)
        with ExitStack() as stack:
            stack.callback(server.stop)
            address = urlsplit(server.url)
            assert address.hostname is not None
            assert address.port is not None
            load = Load(address.hostname, address.port, server.tokens, self.way, self.slots, _STARTERS)
            arguments = msgspec.json.encode(load).decode()
            player = Program(sys.executable, "-m", "benchmarks.five_steps_load", arguments)
            stack.callback(player.stop)
            yield Running(player, [server.process.pid])


@dataclass(frozen=True)
class Dbos:
    """One process with the DBOS library, which calls or enqueues workflows itself."""

    name: str
    python: Path
    way: str
    threads: int
    finished: ClassVar[LiteralString] = "select count(*) from dbos.workflow_status where status = 'SUCCESS'"

    @contextmanager
    def database(self, databases: PostgresDatabases) -> Iterator[Database]:
        with databases.empty() as database:
            yield database

    @contextmanager
    def running(self, database: Database, directory: Path) -> Iterator[Running]:
        del directory
        program = str(Path(__file__).with_name("dbos_program.py"))
        player = Program(str(self.python), program, database.url, self.way, str(self.threads))
        try:
            yield Running(player, [player.pid])
        finally:
            player.stop()


@dataclass(frozen=True)
class Absurd:
    """Worker processes with some concurrency each, and a client process that spawns."""

    name: str
    python: Path
    workers: int
    concurrency: int
    finished: ClassVar[LiteralString] = "select count(*) from absurd.t_five_steps where state = 'completed'"

    @contextmanager
    def database(self, databases: PostgresDatabases) -> Iterator[Database]:
        with databases.empty() as database:
            for command in (["init"], ["create-queue", "five_steps"]):
                subprocess.run(
                    [str(self.python.with_name("absurdctl")), *command, "-d", database.url],
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
            yield database

    @contextmanager
    def running(self, database: Database, directory: Path) -> Iterator[Running]:
        del directory
        program = str(Path(__file__).with_name("absurd_program.py"))
        with ExitStack() as stack:
            workers = []
            for _ in range(self.workers):
                worker = Program(str(self.python), program, database.url, "worker", str(self.concurrency))
                stack.callback(worker.stop)
                workers.append(worker.pid)
            player = Program(str(self.python), program, database.url, "client", str(_STARTERS))
            stack.callback(player.stop)
            yield Running(player, workers)
