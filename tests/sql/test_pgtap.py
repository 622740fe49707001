"""The behaviour of every routine, in pgTAP: a folder per routine, a file per behaviour."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest

from byssus import assets

pytestmark = pytest.mark.engines("postgresql15")

HERE = Path(__file__).parent
FILES = sorted(path.relative_to(HERE).as_posix() for path in HERE.glob("*/*.sql"))

Connection = psycopg.Connection[tuple[object, ...]]


def _tap_lines(connection: Connection, script: bytes) -> list[str]:
    lines: list[str] = []
    cursor = connection.execute(script)
    more: bool | None = True
    while more:
        if cursor.description is not None:
            lines += [line for (text,) in cursor for line in str(text).splitlines()]
        more = cursor.nextset()
    return lines


def _failures(lines: list[str]) -> list[str]:
    plan = next((int(line.removeprefix("1..")) for line in lines if re.fullmatch(r"1\.\.\d+", line)), None)
    made = sum(line.startswith(("ok ", "not ok ")) for line in lines)
    failed = [line for line in lines if line.startswith(("not ok ", "#"))]
    return failed if plan == made else [*failed, f"planned {plan} assertions, made {made}"]


@pytest.mark.parametrize("file", FILES)
def test_pgtap(owner: Connection, file: str) -> None:
    try:
        failures = _failures(_tap_lines(owner, (HERE / file).read_bytes()))
    finally:
        owner.execute("rollback")
    assert not failures, "\n".join(failures)


def test_every_routine_has_a_folder_and_every_folder_its_routine() -> None:
    routines = {path.stem for path in (assets.path("procedures") / "postgresql").rglob("*.sql")}
    guards = re.findall(
        r"^create function byssus\.(\w+)",
        "".join(p.read_text() for p in (assets.path("sql") / "postgresql" / "guards").glob("*.sql")),
        re.MULTILINE,
    )
    assert {Path(file).parent.name for file in FILES} == routines | set(guards)
