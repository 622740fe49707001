"""Lets any worker claim what was held for one that has gone.

token   the registration that has ended.
now     the moment.
Result  whether there was any.
Writes  workflow_tasks.
"""

from __future__ import annotations

from byssus.store.sqlite.session import Session


def release_sticky_holds(session: Session, token: str, now: str) -> bool:
    """End the holds on ready workflow tasks for a registration that is over."""
    released = session.execute(
        "update workflow_tasks set held_until = available_at"
        " where status = 'ready' and sticky_registration_token = ? and held_until > ?"
        " and held_until > available_at",
        (token, now),
    )
    return released.rowcount > 0
