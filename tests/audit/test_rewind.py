"""That the rewind matters: without it a continuation that fails does damage, which the audit finds.

A savepoint undoes rows, not variables. Each dialect restores what it remembers of the run in one line; here
the routine is run with and without it.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from byssus.assets import path
from byssus.audit import audit
from byssus.store import connect
from tests import invariants
from tests.engines.databases import Database
from tests.engines.owner import run_as_owner
from tests.transitions.breaking import broken
from tests.transitions.commands import schedule, timer
from tests.transitions.driver import Driver
from tests.transitions.merged import begin_held, continuation, got_task, part, register_merging_worker
from tests.transitions.sticky import sticky_cache

MARK = "The savepoint has undone rows, not variables."
_MODULE = "byssus.store.sqlite.shared.carry_continuation"
_CALLER = "byssus.store.sqlite.activities.complete_activity"

Install = Callable[[Callable[[str], str]], None]


@pytest.fixture
async def driver(database: Database) -> AsyncIterator[Driver]:
    store = connect(database.app_url)
    await store.open()
    yield Driver(store)
    await store.close()


@pytest.fixture
def install(database: Database, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a changed carry_continuation in the place of the shipped one, in this test's database."""

    def install(change: Callable[[str], str]) -> None:
        if database.dialect == "sqlite":
            module = importlib.import_module(_MODULE)
            assert module.__file__ is not None
            members = {**vars(module)}
            exec(compile(change(Path(module.__file__).read_text()), _MODULE, "exec"), members)
            monkeypatch.setattr(f"{_CALLER}.carry_continuation", members["carry_continuation"])
        else:
            file = path("procedures") / database.dialect / "shared" / "carry_continuation.sql"
            run_as_owner(database, change(file.read_text()))

    return install


def _without_rewind(text: str) -> str:
    lines = text.splitlines(keepends=True)
    (marked,) = [number for number, line in enumerate(lines) if MARK in line]
    assert "=" in lines[marked + 1]
    return "".join(lines[: marked + 1] + lines[marked + 2 :])


async def _fail_a_continuation(driver: Driver, database: Database) -> None:
    """The last step of a continuation fails, and the next part claims the run's task."""
    await register_merging_worker(driver)
    task, activity, basis = await begin_held(driver)
    cache = sticky_cache(task, basis, hit=7)
    carried = {
        "continuation": continuation(basis, schedule("ship"), timer(60), sticky=cache),
        "workflow_poll": driver.poll(),
    }
    with broken(database, "update", "worker_liveness", "new.sticky_hits = 7"):
        reply = await driver.complete_activity(activity, carried=carried)
    assert part(reply, "continuation") == {"outcome": "refused", "reason": "failed"}
    assert got_task(reply).run_id == task.run_id


async def test_a_continuation_that_fails_is_rewound(
    driver: Driver, database: Database, install: Install
) -> None:
    install(lambda text: text)
    await _fail_a_continuation(driver, database)
    assert audit(database.url).count == 0
    with invariants.reader(database) as dump:
        invariants.check(dump())


async def test_without_the_rewind_the_audit_finds_the_damage(
    driver: Driver, database: Database, install: Install
) -> None:
    install(_without_rewind)
    await _fail_a_continuation(driver, database)
    found = {finding.check.code for finding in audit(database.url).findings if finding.count}
    assert "task.claimed_sequence" in found
    with invariants.reader(database) as dump, pytest.raises(AssertionError, match="task from the future"):
        invariants.check(dump())
