"""Whether a completion merely says again that workflow code waits on the condition that is already open.

Nothing came in since it opened, so nothing can have satisfied it, and the wait and its timeout stay.

run       the run.
commands  the completion's commands.
Result    true if the first command repeats the open wait and there is no news for it.
"""

from __future__ import annotations

from byssus.store.sqlite.documents import Command
from byssus.store.sqlite.rows import Run


def keeps_open_wait(run: Run, commands: list[Command]) -> bool:
    """Whether a completion only repeats the open condition wait."""
    return (
        run.open_wait_position is not None
        and not run.open_wait_has_news
        and bool(commands)
        and commands[0].type == "open_condition_wait"
        and commands[0].fields == run.open_wait_fields
    )
