"""What keeps an audit from being made."""

from __future__ import annotations


class AuditFault(Exception):
    """The database cannot be audited; the message says why and, where that is known, what to do."""
