"""A worker in a process of its own: `python -m tests.sdk.worker_process URL TOKEN QUEUE WORKER_ID`.

It works on `workload` until SIGTERM.
"""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path

from durable_workflow import Client, Worker

from tests.engines.server import Server
from tests.sdk import workload

ROOT = Path(__file__).parents[2]


class WorkerProcess:
    """The process, as a test sees it. It writes its log beside the test's other files."""

    def __init__(self, server: Server, queue: str, worker_id: str, folder: Path) -> None:
        command = [sys.executable, "-m", "tests.sdk.worker_process"]
        with (folder / f"{worker_id}.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, server.url, server.tokens["worker"], queue, worker_id],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """End it at once (SIGKILL)."""
        self.process.kill()
        self.process.wait(timeout=30)

    def stop(self) -> None:
        """Ask it to end, and wait for it."""
        self.process.terminate()
        self.process.wait(timeout=60)


async def work(url: str, token: str, queue: str, worker_id: str) -> None:
    """Work until SIGTERM."""
    async with Client(url, worker_token=token) as client:
        worker = Worker(
            client,
            task_queue=queue,
            worker_id=worker_id,
            workflows=workload.WORKFLOWS,
            activities=workload.ACTIVITIES,
        )
        running = asyncio.create_task(worker.run())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
        await asyncio.wait({running})


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:]))
