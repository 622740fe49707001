"""Running the checks."""

from __future__ import annotations

from collections.abc import Iterator

from byssus.audit.check import Check
from byssus.audit.checks import CHECKS
from byssus.audit.fault import AuditFault
from byssus.audit.report import Findings, Report
from byssus.audit.sessions import Read, snapshot
from byssus.database_url import Engine, engine_of
from byssus.schema import SchemaState, expected_state
from byssus.schema.state import combined_checksum, compare

RUNS_AT_A_TIME = 1000
_BEHIND_ALL = "\uffff"
"""Sorts behind every run id. A longer character would keep MySQL from showing who runs what."""


def audit(
    url: str, namespace: str | None = None, limit: int = 20, runs_at_a_time: int = RUNS_AT_A_TIME
) -> Report:
    """Check a database as it is at one moment, all of it or one namespace, and count what is wrong.

    Keeps the first `limit` findings of each check. The login needs the role byssus_audit, no more. Writers
    are not waited for and do not wait. Raises AuditFault when the database cannot be audited.
    """
    with snapshot(url) as read:
        _require_schema(read, url)
        if namespace is not None:
            _require_namespace(read, namespace)
        report = Report(
            engine_of(url), namespace, _count_runs(read, namespace), [Findings(c) for c in CHECKS]
        )
        for found in report.findings:
            if not found.check.by_run:
                _run(read, found, namespace, limit, {})
        for after, upto in _ranges(read, runs_at_a_time):
            for found in report.findings:
                if found.check.by_run:
                    _run(read, found, namespace, limit, {"after": after, "upto": upto})
        return report


def _require_schema(read: Read, url: str) -> None:
    state = _read_state(read, engine_of(url))
    if unfit := compare(state, url):
        raise AuditFault(unfit)


def _read_state(read: Read, engine: Engine) -> SchemaState:
    """Auditors may not see the revision on servers; there the routines tell, which come with it."""
    if engine == "sqlite":
        (row,) = read("select max(version_num) as revision from alembic_version", {})
        return SchemaState(row["revision"], None)
    checksums = {str(row["name"]): str(row["checksum"]) for row in read(_ROUTINES, {})}
    return SchemaState(expected_state(engine).revision, combined_checksum(checksums))


_ROUTINES = "select s.name, s.checksum from audit_routines as s"


def _require_namespace(read: Read, namespace: str) -> None:
    query = "select n.name from audit_namespaces as n where n.name = :namespace"
    if not list(read(query, {"namespace": namespace})):
        raise AuditFault(f"There is no namespace {namespace}.")


def _count_runs(read: Read, namespace: str | None) -> int:
    query = "select count(*) as runs from audit_runs as r"
    if namespace is None:
        (row,) = read(query, {})
    else:
        (row,) = read(f"{query} where r.namespace = :namespace", {"namespace": namespace})
    return int(row["runs"])


def _ranges(read: Read, runs_at_a_time: int) -> Iterator[tuple[str, str]]:
    """Ranges of run ids, one behind the other: together all that there can be, each with so many runs."""
    after = ""
    query = (
        "select r.run_id from audit_runs as r where r.run_id > :after"
        f" order by r.run_id limit 1 offset {runs_at_a_time - 1:d}"
    )
    while last := list(read(query, {"after": after})):
        upto = str(last[0]["run_id"])
        yield after, upto
        after = upto
    yield after, _BEHIND_ALL


def _run(read: Read, found: Findings, namespace: str | None, limit: int, range_: dict[str, str]) -> None:
    parameters = range_ if namespace is None else {**range_, "namespace": namespace}
    for row in read(_query(found.check, namespace), parameters):
        found.add(row, limit)


def _query(check: Check, namespace: str | None) -> str:
    if namespace is None:
        return check.query
    return f"select f.* from ({check.query}) as f where f.namespace = :namespace"
