"""CPU time of a process and everything that it has started."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class _Process(NamedTuple):
    parent: int
    ticks: int


def cpu_seconds(ancestor: int | None = None) -> float:
    """The CPU time so far, of processes that have ended as well; of this process unless another is named."""
    processes = {int(path.name): process for path in Path("/proc").glob("[0-9]*") if (process := _read(path))}
    first = os.getpid() if ancestor is None else ancestor
    return (
        sum(p.ticks for pid, p in processes.items() if _descends(pid, first, processes)) / _TICKS_PER_SECOND
    )


def _read(path: Path) -> _Process | None:
    try:
        text = (path / "stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()
    # User and system time of its own, and of the children that it has waited for.
    return _Process(int(fields[1]), sum(map(int, fields[11:15])))


def _descends(pid: int, ancestor: int, processes: dict[int, _Process]) -> bool:
    while pid != ancestor:
        if pid not in processes:
            return False
        pid = processes[pid].parent
    return True
