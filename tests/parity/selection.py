"""Which engines are compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from tests.engines.selection import wanted

C = TypeVar("C")


def compared_engines(wanted: tuple[str, ...]) -> list[str]:
    """Those of the engines that can differ: of PostgreSQL's releases one is enough."""
    postgresql = [name for name in wanted if name.startswith("postgresql")]
    return [name for name in wanted if name not in postgresql[1:]]


def if_comparable(cases: Iterable[C]) -> list[C]:
    """The cases of a test; none, and so no test, where there is only one engine."""
    return list(cases) if len(compared_engines(wanted())) > 1 else []
