"""What was acknowledged is there after the process was killed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from byssus.database_url import sqlite_path
from byssus.store.sqlite.store import SqliteStore
from tests.engines.databases import Database
from tests.transitions.driver import Driver

pytestmark = pytest.mark.engines("sqlite")

ROOT = Path(__file__).parents[2]
LONG_RUNNING = """
import asyncio, itertools, sys
from pathlib import Path
from byssus.store.sqlite.store import SqliteStore
from tests.transitions import commands as c
from tests.transitions.driver import Driver

async def work(driver, number):
    await driver.register(f"worker-{number}", queue=f"queue-{number}")
    for turn in itertools.count():
        name = f"order-{number}-{turn}"
        started = await driver.start(name, queue=f"queue-{number}")
        task = await driver.claimed(f"worker-{number}", task_queue=f"queue-{number}")
        await driver.complete(task, c.timer(60), c.wait())
        sys.stdout.write(f'["{name}","{started["run_id"]}"]\\n')
        sys.stdout.flush()

async def main():
    store = SqliteStore(Path(sys.argv[1]))
    await store.open()
    await asyncio.gather(*(work(Driver(store), number) for number in range(8)))

asyncio.run(main())
"""


def acknowledged_before_a_kill(path: Path) -> list[tuple[str, str]]:
    """Workflow and run ids of which a process said that they were recorded, before it was killed."""
    process = subprocess.Popen(
        [sys.executable, "-c", LONG_RUNNING, str(path)], stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(60)]
    process.kill()
    lines += process.stdout
    process.wait()
    return [tuple(json.loads(line)) for line in lines if line.endswith("]\n")]


async def test_what_was_acknowledged_outlives_a_killed_process(database: Database) -> None:
    path = sqlite_path(database.url)
    acknowledged = acknowledged_before_a_kill(path)
    assert len(acknowledged) >= 60

    store = SqliteStore(path)
    await store.open()
    driver = Driver(store)
    for workflow_id, run_id in acknowledged:
        assert await driver.types(run_id, workflow_id) == [
            "WorkflowStarted",
            "TimerScheduled",
            "ConditionWaitOpened",
        ]
    await store.close()
