"""Why a completion may not carry parts: its worker did not register the capability.

registration  the registration of the worker that calls, or None.
members       members that say which completion it was, with a leading comma.
Result        worker_capability_not_supported, or None.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.rows import Registration
from byssus.store.sqlite.shared.refuse import refuse


def carried_refusal(registration: Registration | None, members: str) -> Answer | None:
    """The refusal of a completion that carries parts, or None."""
    if registration is None or not registration.merged_transitions:
        return refuse(
            "worker_capability_not_supported",
            f'{members},"capability":"merged_transitions"'
            ',"remediation":"Register the worker with the capability merged_transitions, or carry nothing."',
        )
    return None
