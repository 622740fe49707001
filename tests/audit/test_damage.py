"""Each kind of damage is found, named, and nothing else is."""

from __future__ import annotations

import pytest

from byssus.audit import CHECKS, Report, audit
from byssus.audit.report import SUBJECTS
from tests import invariants
from tests.audit.conftest import Populated
from tests.audit.damage import DAMAGES, Damage


def _found(report: Report) -> dict[str, list[dict[str, str | int | None]]]:
    return {found.check.code: sorted(found.examples, key=repr) for found in report.findings if found.count}


def test_a_sound_database_with_runs_in_every_state_is_clean(populated: Populated) -> None:
    with invariants.reader(populated.database) as read:
        tables = read()
    invariants.check(tables)
    assert {(run["status"], run["closed_reason"]) for run in tables["runs"]} == {
        ("pending", None),
        ("waiting", None),
        ("completed", "completed"),
        ("completed", "continued"),
        ("failed", "failed"),
        ("failed", "timed_out"),
        ("cancelled", "cancelled"),
        ("terminated", "terminated"),
    }
    for table in ("timers", "inbox", "affinities", "receipts"):
        assert tables[table], table
    report = audit(populated.database.url)
    assert _found(report) == {}
    assert report.runs == len(tables["runs"])


@pytest.mark.parametrize("damage", DAMAGES, ids=[damage.code for damage in DAMAGES])
def test_damage_is_found_and_named(populated: Populated, damage: Damage) -> None:
    runs = populated.population.runs
    with populated.scratch.damaged(tuple(text.format(**runs) for text in damage.statements)):
        found = _found(audit(populated.database.url))
        in_small_steps = _found(audit(populated.database.url, runs_at_a_time=2))
    assert found.keys() == {damage.code} | damage.also
    assert in_small_steps == found
    about = [example.get(name) for example in found[damage.code] for name in SUBJECTS]
    assert runs.get(damage.about, damage.about) in about
    assert _found(audit(populated.database.url)) == {}


@pytest.mark.engines("sqlite")
def test_there_is_damage_for_every_check(engine: str) -> None:
    assert {d.code for d in DAMAGES} == {c.code for c in CHECKS}
    assert len({check.code for check in CHECKS}) == len(CHECKS)
