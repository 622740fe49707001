"""Fixtures that every folder of tests shares. See tests/engines for the servers behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from byssus.store import Store, connect
from tests.engines.clock import Clock
from tests.engines.databases import Database, Databases
from tests.engines.running import Engines
from tests.engines.selection import EVERYDAY, KNOWN, THOROUGH_FOLDERS, left_out, wanted
from tests.engines.server import Server

TESTS = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    try:
        wanted()
    except LookupError as error:
        raise pytest.UsageError(str(error)) from error


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        metafunc.parametrize("engine", _engines_of(metafunc), scope="session")


def _engines_of(metafunc: pytest.Metafunc) -> list[str]:
    folder = metafunc.definition.path.relative_to(TESTS).parts[0]
    engines: tuple[str, ...] = KNOWN if folder in THOROUGH_FOLDERS else EVERYDAY
    marker = metafunc.definition.get_closest_marker("engines")
    if marker is not None:
        named = marker.args
        engines = tuple(e for e in KNOWN if e in named or (e in engines and e.startswith(named)))
    return [engine for engine in engines if engine in wanted()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests that have no engine to run on here, rather than report them as skipped."""
    homeless = [item for item in items if _has_no_engine(item)]
    if homeless:
        config.hook.pytest_deselected(items=homeless)
        items[:] = [item for item in items if not _has_no_engine(item)]


def _has_no_engine(item: pytest.Item) -> bool:
    skip = item.get_closest_marker("skip")
    return skip is not None and str(skip.kwargs.get("reason", "")).startswith("got empty parameter set")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if lines := left_out():
        terminalreporter.section("engines left out")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture(scope="session")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engines]:
    """All private servers of this test process."""
    started = Engines(tmp_path_factory.mktemp("sqlite"))
    yield started
    started.stop()


@pytest.fixture
def databases(engines: Engines, engine: str) -> Databases:
    """Makes databases on the engine under test."""
    return engines.databases(engine)


@pytest.fixture
def _database_and_clock(
    databases: Databases, request: pytest.FixtureRequest
) -> Iterator[tuple[Database, Clock | None]]:
    if "clock" in request.fixturenames:
        with databases.clocked() as clocked:
            yield clocked
    else:
        with databases.upgraded() as database:
            yield database, None


@pytest.fixture
def database(_database_and_clock: tuple[Database, Clock | None]) -> Database:
    """The test's database: upgraded, without runs.

    A test that takes `clock` (as `store` does) shares a database with others of its kind, each finding it
    empty, and must leave its schema alone; any other has one of its own, with the real clock.
    """
    return _database_and_clock[0]


@pytest.fixture
def clock(_database_and_clock: tuple[Database, Clock | None]) -> Clock:
    """The clock of the test's database: stands still until it is moved."""
    clock = _database_and_clock[1]
    assert clock is not None
    return clock


@pytest.fixture
def database_url(database: Database) -> str:
    """The URL of the test's database for its owner (PostgreSQL: a superuser)."""
    return database.url


@pytest.fixture
def app_url(database: Database) -> str:
    """The URL of the test's database for a server (its login only has the role byssus_app)."""
    return database.app_url


@pytest.fixture
async def store(database: Database, clock: Clock) -> AsyncIterator[Store]:
    """An open store on the test's database, whose clock is `clock`."""
    store = connect(database.app_url, clock=clock)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def server(database: Database, tmp_path: Path) -> Iterator[Server]:
    """A server process of the test's own, on the test's database."""
    server = Server(database.app_url, tmp_path)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def shared_server(
    engines: Engines, engine: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server process for the tests of a module, each keeping to workflow ids and queues of its own."""
    with engines.databases(engine).upgraded() as database:
        server = Server(database.app_url, tmp_path_factory.mktemp("server"))
        yield server
        server.stop()
