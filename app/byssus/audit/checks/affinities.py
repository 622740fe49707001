"""Affinities: which worker keeps which run, and how much of it."""

from __future__ import annotations

from byssus.audit.check import Check

_RUN = Check(
    "affinity.run",
    "The affinity is of another namespace than its run, or of a run that no worker has answered.",
    """
    select r.namespace, r.workflow_id, a.run_id, a.sticky_worker_id as worker_id,
        a.namespace as namespace_of_affinity
    from audit_affinities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto and (a.namespace <> r.namespace or not r.has_answered_task)
    """,
)

_DELIVERED = Check(
    "affinity.delivered_sequence",
    "The affinity says that its worker was given more of the run than there is.",
    """
    select r.namespace, r.workflow_id, a.run_id, a.sticky_worker_id as worker_id, a.delivered_sequence,
        r.last_history_sequence
    from audit_affinities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and (a.delivered_sequence < 1 or a.delivered_sequence > r.last_history_sequence)
    """,
)

_REPORTED = Check(
    "affinity.reported_sequence",
    "A worker has reported that it keeps more of the run than there is.",
    """
    select r.namespace, r.workflow_id, a.run_id, a.sticky_worker_id as worker_id, a.reported_sequence,
        r.last_history_sequence
    from audit_affinities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and (a.reported_sequence < 1 or a.reported_sequence > r.last_history_sequence)
    """,
)

_SIZE = Check(
    "affinity.size",
    "The affinity says that its worker keeps more bytes of the run than there are.",
    """
    select r.namespace, r.workflow_id, a.run_id, a.sticky_worker_id as worker_id, a.history_size_bytes,
        r.history_size_bytes as size_of_run
    from audit_affinities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and (a.history_size_bytes < 1 or a.history_size_bytes > r.history_size_bytes)
    """,
)

CHECKS = (_RUN, _DELIVERED, _REPORTED, _SIZE)
