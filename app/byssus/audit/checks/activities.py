"""Activities: their state, their events, and who runs them."""

from __future__ import annotations

from byssus.audit.check import Check

_RUN = Check(
    "activity.run",
    "The activity is not of the namespace, build and priority of its run, or at no position of it.",
    """
    select r.namespace, r.workflow_id, a.run_id, a.position, a.namespace as namespace_of_activity, a.build_id,
        r.build_id as build_of_run, a.priority, r.priority as priority_of_run, r.last_authored_position
    from audit_activities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and (
            a.namespace <> r.namespace or coalesce(a.build_id, '') <> coalesce(r.build_id, '')
            or a.priority <> r.priority or a.position < 1 or a.position > r.last_authored_position
        )
    """,
)

_STATUS = Check(
    "activity.status",
    "The activity has a time of closing though it is open, or none though it is not.",
    """
    select a.namespace, r.workflow_id, a.run_id, a.position, a.status, a.closed_at
    from audit_activities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and (a.status in ('pending', 'running')) <> (a.closed_at is null)
    """,
)

_LEASE = Check(
    "activity.lease",
    "The lease of the activity is not whole, or an activity that is not running has part of one.",
    """
    select a.namespace, r.workflow_id, a.run_id, a.position, a.status, a.attempt_number,
        a.lease_owner as worker_id, a.lease_expires_at
    from audit_activities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and case a.status
            when 'running' then
                a.attempt_number < 1 or a.lease_owner is null or a.lease_expires_at is null
                or a.started_at is null
            else a.lease_owner is not null or a.lease_expires_at is not null or a.started_at is not null
        end
    """,
)

_OWNER = Check(
    "activity.lease_owner",
    "The activity runs under a registration that its worker never had.",
    """
    select a.namespace, r.workflow_id, a.run_id, a.position, a.lease_owner as worker_id, a.lease_expires_at
    from audit_activities as a
    inner join audit_runs as r on a.run_id = r.run_id
    where a.run_id > :after and a.run_id <= :upto
        and a.status = 'running' and a.lease_owner is not null and a.lease_registration is null
    """,
)

_SCHEDULED = Check(
    "activity.scheduled",
    "The history of the run does not schedule this activity once.",
    """
    select a.namespace, r.workflow_id, a.run_id, a.position, a.status, h.number_of_events
    from audit_activities as a
    inner join audit_runs as r on a.run_id = r.run_id
    left join (
        select e.run_id, e.authored_position, count(*) as number_of_events
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto and e.event_type = 'ActivityScheduled'
        group by e.run_id, e.authored_position
    ) as h on a.run_id = h.run_id and a.position = h.authored_position
    where a.run_id > :after and a.run_id <= :upto and coalesce(h.number_of_events, 0) <> 1
    """,
)

_LOST = Check(
    "activity.lost",
    "An activity that the history of the run scheduled has not ended, and will never run.",
    """
    select r.namespace, r.workflow_id, h.run_id, h.authored_position as position
    from (
        select e.run_id, e.authored_position
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
            and e.event_type in (
                'ActivityScheduled', 'ActivityCompleted', 'ActivityFailed', 'ActivityTimedOut',
                'ActivityCancelled'
            )
        group by e.run_id, e.authored_position
        having min(e.event_type) = 'ActivityScheduled' and max(e.event_type) = 'ActivityScheduled'
    ) as h
    inner join audit_runs as r on h.run_id = r.run_id
    left join audit_activities as a on h.run_id = a.run_id and h.authored_position = a.position
    where a.run_id is null
    """,
)

# A worker that closes its run leaves open activities behind without an event.
_ENDED = Check(
    "activity.ended",
    "What has been recorded, or is held, of the end of the activity is not what its status says.",
    """
    select a.namespace, r.workflow_id, a.run_id, a.position, a.status, h.number_of_ends, h.ended_by
    from audit_activities as a
    inner join audit_runs as r on a.run_id = r.run_id
    left join (
        select x.run_id, x.authored_position, count(*) as number_of_ends, min(x.event_type) as ended_by
        from (
            select e.run_id, e.authored_position, e.event_type
            from audit_history as e
            where e.run_id > :after and e.run_id <= :upto
            union all
            select i.run_id, i.authored_position, i.event_type
            from audit_inbox as i
            where i.run_id > :after and i.run_id <= :upto
        ) as x
        where x.event_type in ('ActivityCompleted', 'ActivityFailed', 'ActivityTimedOut', 'ActivityCancelled')
        group by x.run_id, x.authored_position
    ) as h on a.run_id = h.run_id and a.position = h.authored_position
    where a.run_id > :after and a.run_id <= :upto
        and case
            when a.status in ('pending', 'running') then h.run_id is not null
            when a.status = 'cancelled' and h.run_id is null then
                coalesce(r.closed_reason, '') not in ('completed', 'failed', 'continued')
            else coalesce(h.number_of_ends, 0) <> 1
                or h.ended_by <> case a.status
                    when 'completed' then 'ActivityCompleted'
                    when 'failed' then 'ActivityFailed'
                    when 'timed_out' then 'ActivityTimedOut'
                    when 'cancelled' then 'ActivityCancelled'
                    else ''
                end
        end
    """,
)

CHECKS = (_RUN, _STATUS, _LEASE, _OWNER, _SCHEDULED, _LOST, _ENDED)
