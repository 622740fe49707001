"""The payload of SignalRejected, from the signal that it rejects.

The signal's own payload begins with its id and name; what follows may be anything, so it is not parsed.

received  SignalReceived in wire form, or its payload.
Result    the signal's id and name, and why it was rejected.
"""

from __future__ import annotations

import re

_SIGNAL = re.compile(r'\{"signal_id":"[^"]*","signal_name":"(?:[^"\\]|\\.)*"')


def signal_rejection(received: str) -> str:
    """What SignalRejected says of a signal that its run never applied."""
    signal = _SIGNAL.search(received)
    assert signal is not None
    return signal.group() + ',"rejection_reason":"run_not_active"}'
