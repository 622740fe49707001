"""Says what sticky execution does in each namespace.

Affinities and tasks now, claims of the last minute by how they were routed, and the totals that workers
report. Reads unexpired affinities, registered workers with what is ready for their cache and what they have
leased, and the counts of a minute; never history.

Outcomes  described: namespaces, by name.
"""

from __future__ import annotations

from byssus.store.answer import Answer
from byssus.store.sqlite.moments import later
from byssus.store.sqlite.session import Session
from byssus.store.sqlite.shared.json_string import json_string


def read_sticky_metrics(session: Session) -> Answer:
    """What sticky execution does in each namespace: affinities, tasks, claims of the last minute, totals."""
    now = session.now()
    names = session.execute("select name from namespaces order by name").fetchall()
    namespaces = [
        f'{{"namespace":{json_string(name)}'
        + _affinities_and_tasks(session, name, now)
        + _claims(session, name, later(now, -60))
        + _totals(session, name)
        + "}"
        for (name,) in names
    ]
    return Answer("described", f'{{"namespaces":[{",".join(namespaces)}]}}', None)


def _affinities_and_tasks(session: Session, namespace: str, now: str) -> str:
    (runs,) = session.execute(
        "select count(*) from affinities as a inner join worker_registrations as w"
        " on a.namespace = w.namespace and a.sticky_worker_id = w.worker_id"
        " and a.registration_token = w.registration_token"
        " where a.namespace = ? and a.sticky_until > ?",
        (namespace, now),
    ).fetchone()
    # By worker, since tasks are indexed by registration and by lease owner.
    (ready,) = session.execute(
        "select count(*) from worker_registrations as w inner join workflow_tasks as t"
        " on t.sticky_registration_token = w.registration_token"
        " where w.namespace = ? and t.status = 'ready' and t.sticky_until > ?",
        (namespace, now),
    ).fetchone()
    (leased,) = session.execute(
        "select count(*) from worker_registrations as w inner join workflow_tasks as t"
        " on t.namespace = w.namespace and t.lease_owner = w.worker_id"
        " where w.namespace = ? and t.status = 'leased' and t.sticky_worker_id is not null",
        (namespace,),
    ).fetchone()
    return f',"active_sticky_runs":{runs},"ready_sticky_tasks":{ready},"leased_sticky_tasks":{leased}'


def _claims(session: Session, namespace: str, since: str) -> str:
    hits, forced, cold, suffixes, events, size = session.execute(
        "select coalesce(sum(hit_expected), 0), coalesce(sum(forced_cold_replay), 0),"
        " coalesce(sum(cold_replay), 0), coalesce(sum(suffix_tasks), 0),"
        " coalesce(sum(suffix_events_saved), 0), coalesce(sum(suffix_bytes_saved), 0)"
        " from sticky_counts where namespace = ? and counted_at > ?",
        (namespace, since),
    ).fetchone()
    return (
        f',"hit_expected_last_minute":{hits}'
        f',"forced_cold_replay_last_minute":{forced}'
        f',"cold_replay_last_minute":{cold}'
        f',"suffix_tasks_last_minute":{suffixes}'
        f',"suffix_events_saved_last_minute":{events}'
        f',"suffix_bytes_saved_last_minute":{size}'
    )


def _totals(session: Session, namespace: str) -> str:
    hits, misses, evictions, forced = session.execute(
        "select coalesce(sum(sticky_hits), 0), coalesce(sum(sticky_misses), 0),"
        " coalesce(sum(sticky_evictions), 0), coalesce(sum(sticky_forced_cold_replays), 0)"
        " from worker_liveness where namespace = ?",
        (namespace,),
    ).fetchone()
    return (
        f',"worker_hits":{hits},"worker_misses":{misses},"worker_evictions":{evictions}'
        f',"worker_forced_cold_replays":{forced}'
    )
