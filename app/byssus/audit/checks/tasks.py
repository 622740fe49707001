"""Workflow tasks: what they have from their run, and who holds them."""

from __future__ import annotations

from byssus.audit.check import Check

_RUN = Check(
    "task.run",
    "The workflow task is not of the namespace, queue, type, build and priority of its run.",
    """
    select r.namespace, r.workflow_id, t.run_id, t.namespace as namespace_of_task, t.task_queue,
        r.task_queue as queue_of_run, t.workflow_type, r.workflow_type as type_of_run, t.build_id,
        r.build_id as build_of_run, t.priority, r.priority as priority_of_run
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto
        and (
            t.namespace <> r.namespace or t.task_queue <> r.task_queue or t.workflow_type <> r.workflow_type
            or coalesce(t.build_id, '') <> coalesce(r.build_id, '') or t.priority <> r.priority
        )
    """,
)

_NUMBER = Check(
    "task.number",
    "The workflow task was made for a history sequence that its run does not have.",
    """
    select r.namespace, r.workflow_id, t.run_id, t.task_number, r.last_history_sequence
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto
        and (t.task_number < 1 or t.task_number > r.last_history_sequence)
    """,
)

_LEASE = Check(
    "task.lease",
    "The lease of the workflow task is not whole, or a task that is not leased has part of one.",
    """
    select t.namespace, r.workflow_id, t.run_id, t.status, t.attempt, t.lease_owner as worker_id,
        t.lease_expires_at
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto
        and case t.status
            when 'leased' then
                t.attempt < 1 or t.lease_owner is null or t.lease_expires_at is null
                or t.sticky_replay_mode is null or t.sticky_claimed_at is null or t.after_sequence is null
                or t.claimed_sequence is null or t.delivered_sequence is null
            else
                t.status <> 'ready' or t.lease_owner is not null or t.lease_expires_at is not null
                or t.sticky_replay_mode is not null or t.sticky_claimed_at is not null
                or t.after_sequence is not null or t.claimed_sequence is not null
                or t.delivered_sequence is not null
        end
    """,
)

_OWNER = Check(
    "task.lease_owner",
    "The workflow task is leased under a registration that its worker never had.",
    """
    select t.namespace, r.workflow_id, t.run_id, t.lease_owner as worker_id, t.lease_expires_at
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto
        and t.status = 'leased' and t.lease_owner is not null and t.lease_registration is null
    """,
)

_CLAIMED = Check(
    "task.claimed_sequence",
    "The history of the run has moved since its workflow task was leased.",
    """
    select t.namespace, r.workflow_id, t.run_id, t.lease_owner as worker_id, t.claimed_sequence,
        r.last_history_sequence
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto
        and t.status = 'leased' and t.claimed_sequence <> r.last_history_sequence
    """,
)

_DELIVERED = Check(
    "task.delivered_sequence",
    "What the holder of the workflow task was given is not a part of the history that it claimed.",
    """
    select t.namespace, r.workflow_id, t.run_id, t.lease_owner as worker_id, t.sticky_replay_mode,
        t.after_sequence, t.delivered_sequence, t.claimed_sequence
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto and t.status = 'leased'
        and (
            t.after_sequence < 0 or t.delivered_sequence < t.after_sequence
            or t.claimed_sequence < t.delivered_sequence
            or (t.sticky_replay_mode <> 'sticky_hit_expected' and t.after_sequence <> 0)
        )
    """,
)

_HELD = Check(
    "task.held_until",
    "The workflow task is open to all before it is ready, or is held for nobody.",
    """
    select t.namespace, r.workflow_id, t.run_id, t.sticky_worker_id as worker_id, t.available_at, t.held_until
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto
        and (t.held_until < t.available_at or (t.sticky_worker_id is null and t.held_until <> t.available_at))
    """,
)

_AFFINITY = Check(
    "task.affinity",
    "The workflow task waits for a worker that does not keep its run.",
    """
    select t.namespace, r.workflow_id, t.run_id, t.sticky_worker_id as worker_id, t.sticky_until,
        a.sticky_worker_id as kept_by, a.sticky_until as kept_until
    from audit_workflow_tasks as t
    inner join audit_runs as r on t.run_id = r.run_id
    left join audit_affinities as a on t.run_id = a.run_id
    where t.run_id > :after and t.run_id <= :upto and t.sticky_worker_id is not null
        and (a.run_id is null or a.sticky_worker_id <> t.sticky_worker_id or a.sticky_until <> t.sticky_until)
    """,
)

CHECKS = (_RUN, _NUMBER, _LEASE, _OWNER, _CLAIMED, _DELIVERED, _HELD, _AFFINITY)
