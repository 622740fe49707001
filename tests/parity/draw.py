"""Choices that Hypothesis makes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

T = TypeVar("T")

_numbers = cache(st.integers)


class Draw:
    """The choices of one step."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        """A number from `low` to `high`."""
        return self._draw(_numbers(low, high))

    def of(self, values: Sequence[T]) -> T:
        """One of the values. One that stands there twice comes twice as often."""
        return values[self.number(0, len(values) - 1)]

    def percent(self, chance: int) -> bool:
        """Whether something happens that happens so many times in a hundred."""
        return self.number(0, 99) >= 100 - chance

    def latest(self, values: Sequence[T]) -> T:
        """One of the values, mostly one of the last three."""
        if self.percent(25):
            return self.of(values)
        return values[-1 - self.number(0, min(2, len(values) - 1))]

    def some(self, values: Sequence[T], most: int) -> list[T]:
        """Up to so many of the values, none twice."""
        return list(dict.fromkeys(self.of(values) for _ in range(self.number(0, most))))
