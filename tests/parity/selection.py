"""Which engines are compared."""

from __future__ import annotations


def compared_engines(wanted: tuple[str, ...]) -> list[str]:
    """Those of the engines that can differ: of PostgreSQL's releases one is enough."""
    postgresql = [name for name in wanted if name.startswith("postgresql")]
    return [name for name in wanted if name not in postgresql[1:]]
