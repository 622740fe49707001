"""Ways measured in turns, so that whatever else the machine does meets all of them, and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from benchmarks.leased_tasks import LeasedTasks
from benchmarks.ways import Timing, Way

_WARM_UP_CALLS_PER_CLIENT = 40
_WARM_UP_CALLS = 400


@dataclass
class Column:
    """What one way did with one number of clients: in each round, calls per second and what they cost."""

    engine: str
    way: str
    clients: int
    rates: list[float] = field(default_factory=list)
    cpu_seconds: list[float] = field(default_factory=list)
    generator_shares: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """The median."""
        return median(self.rates)

    @property
    def cpu_microseconds(self) -> float:
        """CPU time of client, server and database together, for one call (median)."""
        return median(self.cpu_seconds) * 1e6

    @property
    def generator_share(self) -> float | None:
        """How much of the time a load generator of its own process was at work (median), if there was one."""
        return median(self.generator_shares) if self.generator_shares else None

    def ratio_to(self, ceiling: Column) -> float:
        """The median of the ratios of the rates within each round."""
        pairs = zip(self.rates, ceiling.rates, strict=True)
        return median(mine / its for mine, its in pairs)

    def cpu_ratio_to(self, ceiling: Column) -> float:
        """What the ratio of the rates is where nothing but the CPUs limits them: that of the CPU times."""
        pairs = zip(self.cpu_seconds, ceiling.cpu_seconds, strict=True)
        return median(its / mine for mine, its in pairs)


def compare(
    engine: str, ways: Sequence[Way], tasks: LeasedTasks, clients: int, *, rounds: int, seconds: float
) -> list[Column]:
    """Measure each way for about `seconds` in each round; the columns in the order of the ways."""
    calls = [_calls_for(way, tasks, clients, seconds * way.stretch_factor) for way in ways]
    columns = [Column(engine, way.name, clients) for way in ways]
    for _ in range(rounds):
        for way, count, column in zip(ways, calls, columns, strict=True):
            timing = _measure(way, tasks, count, clients)
            column.rates.append(count / timing.seconds)
            column.cpu_seconds.append(timing.cpu_seconds / count)
            if timing.generator_cpu_seconds is not None:
                column.generator_shares.append(timing.generator_cpu_seconds / timing.seconds)
    return columns


def _calls_for(way: Way, tasks: LeasedTasks, clients: int, seconds: float) -> int:
    """How many calls take about that long, found out by warming up."""
    trial = _rounded(max(_WARM_UP_CALLS, _WARM_UP_CALLS_PER_CLIENT * clients), clients)
    _measure(way, tasks, trial, clients)
    timing = _measure(way, tasks, trial, clients)
    return max(_rounded(trial * seconds / timing.seconds, clients), trial)


def _measure(way: Way, tasks: LeasedTasks, calls: int, clients: int) -> Timing:
    first, before = tasks.prepare(calls), tasks.completed()
    timing = way.run(first, calls, clients)
    done = tasks.completed() - before
    if done != calls:
        raise RuntimeError(f"{way.name}: {done} of {calls} calls completed their task")
    return timing


def _rounded(calls: float, clients: int) -> int:
    """The nearest multiple of `clients`, and not nothing."""
    return max(round(calls / clients), 1) * clients
