"""Differences that were found and mended, and are to stay so."""

from __future__ import annotations

import pytest

from tests.parity.comparison import Comparison
from tests.parity.regressions import REGRESSIONS
from tests.parity.selection import if_comparable


@pytest.mark.parametrize("name", if_comparable(REGRESSIONS))
def test_engines_still_agree(compared: Comparison, name: str) -> None:
    compared.replay(REGRESSIONS[name])
