"""All checks, as data, in the order in which they are reported.

A subquery that is joined has a `group by`, so that every engine reads it once rather than once per row.
"""

from __future__ import annotations

from byssus.audit.check import Check
from byssus.audit.checks import (
    activities,
    affinities,
    closed_runs,
    history,
    orphans,
    runs,
    tasks,
    workers,
    workflows,
)

CHECKS: tuple[Check, ...] = (
    *history.CHECKS,
    *runs.CHECKS,
    *closed_runs.CHECKS,
    *workflows.CHECKS,
    *tasks.CHECKS,
    *activities.CHECKS,
    *affinities.CHECKS,
    *workers.CHECKS,
    *orphans.CHECKS,
)
