"""What an audit has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from byssus.audit.check import Check

Value = str | int | None
Finding = dict[str, Value]
"""The columns of a finding, without those that have no value; moments in wire form."""

SUBJECTS = ("namespace", "workflow_id", "run_id", "worker_id")
"""Members of a finding that say what it is about; the others are details."""


@dataclass
class Findings:
    """What one check has found: how much, and the first of it."""

    check: Check
    count: int = 0
    examples: list[Finding] = field(default_factory=list)

    def add(self, row: Mapping[str, Any], limit: int) -> None:
        """Count a row, and keep it while there are fewer than `limit`."""
        self.count += 1
        if len(self.examples) < limit:
            named = {name: _value(value) for name, value in row.items()}
            self.examples.append({name: value for name, value in named.items() if value is not None})


@dataclass(frozen=True)
class Report:
    """An audit: of which runs, and what each check has found. `namespace` None: all of them."""

    engine: str
    namespace: str | None
    runs: int
    findings: list[Findings]

    @property
    def count(self) -> int:
        """How much was found in all."""
        return sum(found.count for found in self.findings)

    def document(self) -> dict[str, Any]:
        """The report as a JSON document, checks without findings included."""
        return {
            "engine": self.engine,
            "namespace": self.namespace,
            "runs": self.runs,
            "findings": self.count,
            "checks": [
                {
                    "code": found.check.code,
                    "sentence": found.check.sentence,
                    "findings": found.count,
                    "examples": found.examples,
                }
                for found in self.findings
            ],
        }


def _value(value: Any) -> Value:
    """A value as every engine would give it."""
    if isinstance(value, datetime):
        moment = value if value.tzinfo is None else value.astimezone(UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if isinstance(value, Decimal):
        return int(value)
    if value is None or isinstance(value, int):
        return value
    return str(value)
