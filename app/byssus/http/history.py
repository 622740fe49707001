"""Reading a run's history, at once or as soon as there is something new."""

from __future__ import annotations

import asyncio

from byssus.http import workflows
from byssus.http.call import Call, ClientGone
from byssus.http.polls import hung_up
from byssus.store import Arguments, Store
from byssus.store import transitions as t
from byssus.store.answer import Answer
from byssus.wakeups import Wakeups, run_transition

NOTHING_YET = "end_of_page"


class HistoryReads:
    """Reads that may be held: one store call at first, one per wake, one when the time is up."""

    def __init__(self, store: Store, wakeups: Wakeups) -> None:
        self._store = store
        self._wakeups = wakeups
        self._closing = False

    async def read(self, call: Call[None]) -> Answer:
        """The page. Raises ClientGone when the client has hung up while the read was held."""
        arguments = workflows.history(call)
        if not call.flag("wait_new_event"):
            return await self._page(arguments)
        run_id = call.path["run_id"]
        known = arguments["after_sequence"]
        assert isinstance(known, int)
        grown = self._wakeups.watch_run(run_id, known)
        gone = asyncio.create_task(hung_up(call.receive))
        try:
            return await self._read_until(arguments, grown, gone, call.settings.worker_poll_timeout)
        finally:
            gone.cancel()
            self._wakeups.forget_run(run_id, grown)

    def close(self) -> None:
        """Answer every held read: the server is stopping."""
        self._closing = True
        self._wakeups.wake_all_runs()

    async def _read_until(
        self, arguments: Arguments, grown: asyncio.Event, gone: asyncio.Task[None], seconds: float
    ) -> Answer:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while True:
            grown.clear()
            answer = await self._page(arguments)
            if answer.outcome != NOTHING_YET or self._closing or loop.time() >= deadline:
                return answer
            news = asyncio.create_task(grown.wait())
            try:
                await asyncio.wait(
                    {news, gone}, timeout=deadline - loop.time(), return_when=asyncio.FIRST_COMPLETED
                )
            finally:
                news.cancel()
            if gone.done():
                raise ClientGone

    async def _page(self, arguments: Arguments) -> Answer:
        [answer] = await run_transition(self._store, self._wakeups, t.READ_HISTORY, arguments)
        return answer
