"""What a claim may expect of its worker's cache.

affinity       the run's affinity, or None.
registration   the registration of the worker that claims.
last_sequence  the run's last history sequence.
now            the moment.
Result         sticky_hit_expected, forced_cold_replay (there is an affinity that does not hold) or
               cold_replay.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Affinity, Registration


def sticky_replay_mode(
    affinity: Affinity | None, registration: Registration, last_sequence: int, now: str
) -> str:
    """Whether a claim is expected to hit its worker's history cache."""
    if affinity is None:
        return "cold_replay"
    if (
        affinity.sticky_until <= now
        or affinity.sticky_worker_id != registration.worker_id
        or affinity.registration_token != registration.registration_token
        or affinity.build_id != registration.build
    ):
        return "forced_cold_replay"
    # A worker that says it holds what it was never given, or what the run no longer has, holds another thing.
    reported = affinity.reported_sequence
    if reported is not None and reported > min(affinity.delivered_sequence, last_sequence):
        return "forced_cold_replay"
    return "sticky_hit_expected"
