"""The state machine: whatever clients, workers, maintenance and the clock do, engines agree on it."""

from __future__ import annotations

from typing import ClassVar

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from tests.parity.callers import Callers
from tests.parity.comparison import Comparison, Difference, Step
from tests.parity.draw import Draw
from tests.parity.operations import FIRST, OPERATIONS, SWEEPS, Operation
from tests.parity.shrinking import shrunk

_PAUSES = (*[0] * 40, *[100] * 3, *[1000] * 3, 3000, 3000, 6000, 31_000, 61_000, 700_000)
"""Milliseconds. Some are beyond a lease, a timeout or the retention of receipts."""

# Under its own name, Hypothesis' source of choices also varies what it made before. The copied steps in such
# sequences lead nowhere; every sequence is to be a new one.
AVAILABLE_PROVIDERS["anew"] = AVAILABLE_PROVIDERS["hypothesis"]


class ParityMachine(RuleBasedStateMachine):
    """One sequence of calls.

    There is one rule, which chooses the operation by weight: of many rules Hypothesis leaves out half in each
    sequence, and without claims, say, no run gets anywhere.
    """

    compared: ClassVar[Comparison]

    def __init__(self) -> None:
        super().__init__()
        self._callers = Callers()
        self._agreed = True
        self.compared.reset()

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Workers register, and workflows start."""
        for operation in FIRST:
            self._perform(data.draw(_steps((operation,), self._callers)))

    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        """Some time passes, and somebody calls."""
        self._perform(data.draw(_steps(OPERATIONS, self._callers)))

    def teardown(self) -> None:
        """Compare the tables."""
        if self._agreed:
            self.compared.finish()

    def _perform(self, step: Step) -> None:
        try:
            answers = self.compared.perform(step)
        except Difference:
            self._agreed = False
            raise
        self._callers.learn(step, answers)


@st.composite
def _steps(draw: st.DrawFn, operations: tuple[Operation, ...], callers: Callers) -> Step:
    choices = Draw(draw)
    # Ids of runs sort by the millisecond of their start, and within one at random: so at least one passes.
    seconds = (1 + choices.of(_PAUSES)) / 1000
    if operations is OPERATIONS and (upcoming := callers.upcoming()) and choices.percent(12):
        seconds = choices.of(upcoming)
        operations = choices.of((SWEEPS, OPERATIONS))
    transition, arguments = choices.of(operations)(choices, callers)
    return seconds, transition.name, arguments


def run(compared: Comparison, *, number: int, sequences: int, steps: int) -> None:
    """Make up so many sequences of so many steps, the same for the same number. Raises Difference, shrunk."""
    machine = type("Machine", (ParityMachine,), {"compared": compared})
    chosen = settings(
        backend="anew",
        max_examples=sequences,
        stateful_step_count=steps,
        # Steps are taken away by our own means, in seconds: they do not depend on what was drawn before.
        phases=(Phase.generate,),
        database=None,
        deadline=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(seed(number)(machine), settings=chosen)
    except Difference as difference:
        raise shrunk(difference, compared) from None
