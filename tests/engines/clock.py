"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg

START = datetime(2030, 1, 1, tzinfo=UTC)


class Clock:
    """The clock of the database under test. Calling it gives the present moment, like `now`."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, seconds: float) -> None:
        """Move on by so many seconds."""
        self.set(self.now + timedelta(seconds=seconds))

    def set(self, moment: datetime) -> None:
        """Make it that moment (aware of its zone)."""
        self.now = moment


class PostgresClock(Clock):
    """The same, kept in a table that the replaced `current_instant` reads."""

    def __init__(self, connection: psycopg.Connection[tuple[object, ...]]) -> None:
        self._connection = connection
        self.set(START)

    def set(self, moment: datetime) -> None:
        super().set(moment)
        self._connection.execute("update byssus_test.clock set moment = %s", [moment])


INSTALL_POSTGRES_CLOCK = b"""
create schema byssus_test authorization byssus_owner;
set role byssus_owner;
create table byssus_test.clock (moment timestamptz not null);
insert into byssus_test.clock values (now());
create or replace function byssus.current_instant() returns timestamptz
language sql volatile as 'select moment from byssus_test.clock';
reset role;
"""
"""Run in the database of a test, by a superuser."""
