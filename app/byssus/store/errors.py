"""Faults of a store. Expected refusals are answers, not exceptions."""

from __future__ import annotations


class StoreError(Exception):
    """A transition could not be carried out. Nothing was recorded unless a subclass says otherwise."""


class BackendLockPressure(StoreError):
    """Contention (deadlock, lock timeout, busy file) outlasted the bounded retries; nothing was recorded."""


class BackendUnavailable(StoreError):
    """The database could not be reached, or the connection broke: what became of the call is unknown."""


class SchemaNotReady(StoreError):
    """The schema is too old, too new or altered; the message names the command that mends it."""


class PayloadTooLarge(StoreError):
    """The documents of a call are larger than the database is set up to take; nothing was recorded."""
