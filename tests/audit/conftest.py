"""One populated database per module and engine, whose guards are off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.audit.population import Population, populate
from tests.audit.scratch import Scratch, scratch
from tests.engines.databases import Database
from tests.engines.running import Engines


@dataclass(frozen=True)
class Populated:
    """A sound database with runs in every state, and the way past its guards."""

    database: Database
    population: Population
    scratch: Scratch


@pytest.fixture(scope="module")
def populated(engines: Engines, engine: str) -> Iterator[Populated]:
    with engines.databases(engine).upgraded() as database, scratch(database) as past_guards:
        population = asyncio.run(populate(database, past_guards.execute))
        yield Populated(database, population, past_guards)
