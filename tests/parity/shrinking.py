"""Fewer steps to the same difference."""

from __future__ import annotations

import re

from tests.parity.comparison import Arguments, Comparison, Difference, Step
from tests.parity.names import SYMBOL


def shrunk(difference: Difference, compared: Comparison) -> Difference:
    """The difference after few of its steps: first many are taken away, then fewer, at last single ones."""
    length = len(difference.steps) // 2
    while length:
        end = len(difference.steps)
        while end > 0:
            begin = max(0, end - length)
            difference = _replayed(difference, compared, set(range(begin, end))) or difference
            end = begin
        length //= 2
    return difference


def _replayed(difference: Difference, compared: Comparison, dropped: set[int]) -> Difference | None:
    """The same difference without these steps, or None when it is gone with them."""
    try:
        compared.replay(_without(difference, dropped))
    except Difference as found:
        return found if found.what == difference.what else None
    except KeyError:
        return None  # a step names an id that no longer appears
    return None


def _without(difference: Difference, dropped: set[int]) -> list[Step]:
    """The steps without these and what speaks of what these made, each of the others at its moment."""
    gone: set[str] = set()
    kept: list[Step] = []
    names: dict[str, str] = {}
    counts = {"run": 0, "token": 0}
    passed = 0.0
    for number, (step, made) in enumerate(zip(difference.steps, difference.made, strict=True)):
        seconds, transition, arguments = step
        passed += seconds
        if number in dropped or gone & set(SYMBOL.findall(str(arguments))):
            gone.update(made)
            continue
        kept.append((round(passed, 3), transition, _renamed(arguments, names)))
        passed = 0.0
        for symbol in made:
            kind = symbol[1:].split()[0]
            counts[kind] += 1
            names[symbol] = f"<{kind} {counts[kind]}>"
    return kept


def _renamed(arguments: Arguments, names: dict[str, str]) -> Arguments:
    """The arguments with symbols as they are counted when others are gone."""

    def new_name(match: re.Match[str]) -> str:
        return names[match[0]]

    return {
        name: SYMBOL.sub(new_name, value) if isinstance(value, str) else value
        for name, value in arguments.items()
    }
