"""What goes wrong with a schema."""

from __future__ import annotations


class SchemaFault(Exception):
    """The database cannot be brought to this release or examined; the message says why and what to do."""
