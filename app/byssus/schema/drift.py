"""Telling two schemas apart."""

from __future__ import annotations

from collections.abc import Mapping

Snapshot = Mapping[tuple[str, str], str]
"""Definitions of the objects of a schema by kind and name."""


def differences(shipped: Snapshot, installed: Snapshot) -> list[str]:
    """One sentence per object that is missing, altered or not part of the release, by kind and name."""
    return [
        _sentence(f"{kind} {name}", shipped.get((kind, name)), installed.get((kind, name)))
        for kind, name in sorted(shipped.keys() | installed.keys())
        if shipped.get((kind, name)) != installed.get((kind, name))
    ]


def _sentence(what: str, shipped: str | None, installed: str | None) -> str:
    if installed is None:
        return f"{what} is missing"
    if shipped is None:
        return f"{what} is not part of this release"
    return f"{what} is not as shipped"
