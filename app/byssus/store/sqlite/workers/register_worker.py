"""Registers a worker process: what it can do, under a fresh token.

A worker id that registers again is a new process: what the old one held is offered again at once, and what
waited for its cache waits no longer. Affinities to the old process end with its token.

namespace     the worker's namespace.
worker_id     its id.
task_queue    the queue it polls.
registration  what it says of itself: runtime, sdk_version, build_id, workflow_types, activity_types,
              workflow_definition_fingerprints, workflow_command_contracts, capabilities, capability_manifest,
              sticky_execution, sticky_history_suffix, merged_transitions, max_concurrent_*, task_slots,
              process_metrics, stale_seconds, protocol_version; arrays and objects as JSON text in strings.
Outcomes      registered; namespace_not_found, workflow_definition_changed (a type that stays advertised has
              another fingerprint: a changed program needs a new worker id).
Writes        worker_registrations, worker_incarnations, worker_liveness, workflow_tasks, activities.
"""

from __future__ import annotations

import uuid

from byssus.store.answer import Answer
from byssus.store.sqlite.documents import registrations, text_lists, text_maps
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.rows import Registration
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.expire_worker_leases import expire_worker_leases
from byssus.store.sqlite.shared.json_member import json_member
from byssus.store.sqlite.shared.json_string import json_string
from byssus.store.sqlite.shared.ready_hint import ready_hint
from byssus.store.sqlite.shared.refuse import refuse
from byssus.store.sqlite.shared.refuse_missing import refuse_missing
from byssus.store.sqlite.shared.release_sticky_holds import release_sticky_holds


def register_worker(
    session: Session, namespace: str, worker_id: str, task_queue: str, registration: str
) -> Answer:
    """Register a worker under a fresh token, and expire what an earlier process of the same id had leased."""
    document = registrations.decode(registration)
    token = uuid.uuid4().hex
    hints = None
    if not session.exists("select 1 from namespaces where name = ?", (namespace,)):
        return refuse_missing(session, namespace, "namespace_not_found")

    old = session.one(
        Registration,
        "select * from worker_registrations where namespace = ? and worker_id = ?",
        (namespace, worker_id),
    )
    now = session.now()

    fingerprints = document.workflow_definition_fingerprints
    changed = None if old is None else _changed_definition(old, fingerprints, document.workflow_types)
    if changed is not None:
        return refuse(
            "workflow_definition_changed",
            f',"registered":false,"worker_id":{json_string(worker_id)},"workflow_type":{json_string(changed)}',
        )

    session.execute(
        "insert or replace into worker_registrations (namespace, worker_id, registration_token, task_queue,"
        " runtime, sdk_version, build_id, protocol_version, workflow_types, activity_types,"
        " workflow_definition_fingerprints, workflow_command_contracts, capabilities, capability_manifest,"
        " sticky_execution, sticky_history_suffix, merged_transitions, max_concurrent_workflow_tasks,"
        " max_concurrent_activity_tasks, max_concurrent_worker_sessions, registered_at)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            namespace,
            worker_id,
            token,
            task_queue,
            document.runtime,
            document.sdk_version,
            document.build_id,
            document.protocol_version,
            document.workflow_types,
            document.activity_types,
            fingerprints,
            document.workflow_command_contracts,
            document.capabilities,
            document.capability_manifest,
            document.sticky_execution,
            document.sticky_history_suffix,
            document.merged_transitions,
            document.max_concurrent_workflow_tasks,
            document.max_concurrent_activity_tasks,
            document.max_concurrent_worker_sessions,
            now,
        ),
    )

    if old is not None:
        session.execute(
            "update worker_incarnations set status = 'superseded', finished_at = ?"
            " where registration_token = ?",
            (now, old.registration_token),
        )
        expire_worker_leases(session, namespace, worker_id, now)
        hints = f'[["due","{now}"]'
        if release_sticky_holds(session, old.registration_token, now):
            hints += "," + ready_hint("workflow", namespace, old.task_queue)
        hints += "]"
    session.execute(
        "insert into worker_incarnations (registration_token, namespace, worker_id, status)"
        " values (?, ?, ?, 'active')",
        (token, namespace, worker_id),
    )

    session.execute(
        "insert or replace into worker_liveness (namespace, worker_id, last_heartbeat_at, stale_at,"
        " task_slots, process_metrics) values (?, ?, ?, ?, ?, ?)",
        (
            namespace,
            worker_id,
            now,
            later(now, document.stale_seconds),
            document.task_slots,
            document.process_metrics,
        ),
    )

    return Answer(
        "registered",
        f'{{"worker_id":{json_string(worker_id)}'
        f',"registered":true,"namespace":{json_string(namespace)}'
        f',"task_queue":{json_string(task_queue)}'
        f',"runtime":{json_string(document.runtime)}'
        + json_member("build_id", json_string(document.build_id))
        + f',"capabilities":{document.capabilities}'
        f',"capability_manifest":{document.capability_manifest}'
        f',"status":"active","registration_token":"{token}"}}',
        hints,
    )


def _changed_definition(old: Registration, fingerprints: str, workflow_types: str) -> str | None:
    """The first type that the worker keeps and whose fingerprint has changed, or None."""
    kept = {*text_lists.decode(old.workflow_types)} & {*text_lists.decode(workflow_types)}
    recorded = text_maps.decode(old.workflow_definition_fingerprints)
    changed = [
        name
        for name, fingerprint in text_maps.decode(fingerprints).items()
        if name in kept and fingerprint != recorded.get(name, fingerprint)
    ]
    return min(changed, key=str.encode, default=None)
