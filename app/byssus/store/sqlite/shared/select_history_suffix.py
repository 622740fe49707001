"""From where on a claim is sent history: behind what its worker provably holds, or from the beginning.

affinity       the run's affinity, or None.
registration   the registration of the worker that claims.
mode           the claim's replay mode (sticky_replay_mode).
last_sequence  the run's last history sequence.
Result         the sequence that the suffix begins behind; 0: full history. All five conditions must hold.
"""

from __future__ import annotations

from byssus.store.sqlite.rows import Affinity, Registration


def select_history_suffix(
    affinity: Affinity | None, registration: Registration, mode: str, last_sequence: int
) -> int:
    """The history sequence behind which a claim is sent events, 0 for full history."""
    if (
        affinity is not None
        # 1. The same worker, unexpired, under the same registration and build.
        and mode == "sticky_hit_expected"
        # 2. It asked for suffixes when it registered.
        and registration.sticky_history_suffix
        # 3. Its last accepted completion of this run said through where it holds the history.
        and affinity.reported_sequence is not None
        # 4. That was delivered to it.
        and affinity.reported_sequence <= affinity.delivered_sequence
        # 5. That lies within the run's history.
        and 1 <= affinity.reported_sequence <= last_sequence
    ):
        return affinity.reported_sequence
    return 0
