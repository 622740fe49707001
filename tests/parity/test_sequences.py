"""Sequences of calls that Hypothesis makes up, the same on every run; `scripts/soak parity` tries others."""

from __future__ import annotations

import pytest

from tests.parity import machine
from tests.parity.comparison import Comparison
from tests.parity.selection import if_comparable


@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", if_comparable([1, 2]))
def test_all_engines_answer_alike(compared: Comparison, number: int) -> None:
    machine.run(compared, number=number, sequences=20, steps=60)
