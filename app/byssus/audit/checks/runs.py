"""The row of a run: what it says of itself, and what its history says of its steps."""

from __future__ import annotations

from byssus.audit.check import Check

_STATUS = Check(
    "run.status",
    "Status, reason and time of closing of the run do not fit together.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.status, r.closed_reason, r.closed_at
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto
        and (
            (r.status in ('pending', 'waiting')) <> (r.closed_at is null)
            or (r.closed_reason is null) <> (r.closed_at is null)
            or r.status <> case r.closed_reason
                when 'continued' then 'completed'
                when 'timed_out' then 'failed'
                else coalesce(r.closed_reason, r.status)
            end
        )
    """,
)

_ANSWERED = Check(
    "run.answered",
    "An open run is pending exactly until its first workflow task has been answered.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.status
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto
        and r.closed_at is null and (r.status = 'pending') = r.has_answered_task
    """,
)

_FIRST_TASK = Check(
    "run.first_task",
    "The run is pending and has no workflow task, so nobody will ever start it.",
    """
    select r.namespace, r.workflow_id, r.run_id
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto and r.status = 'pending'
        and not exists (select 1 from audit_workflow_tasks as t where t.run_id = r.run_id)
    """,
)

_PAYLOADS = Check(
    "run.payloads",
    "The run has no row for its payloads.",
    """
    select r.namespace, r.workflow_id, r.run_id
    from audit_runs as r
    where r.run_id > :after and r.run_id <= :upto
        and not exists (select 1 from audit_run_payloads as p where p.run_id = r.run_id)
    """,
)

# A condition wait and its timeout share a position.
_POSITIONS = Check(
    "run.positions",
    "The steps in the history of the run do not have the authored positions 1 to the run's last.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.last_authored_position, h.number_of_positions,
        h.last_position
    from audit_runs as r
    left join (
        select e.run_id, count(distinct e.authored_position) as number_of_positions,
            max(e.authored_position) as last_position
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
            and e.event_type in (
                'ActivityScheduled', 'TimerScheduled', 'ConditionWaitOpened', 'SideEffectRecorded'
            )
        group by e.run_id
    ) as h on r.run_id = h.run_id
    where r.run_id > :after and r.run_id <= :upto
        and (
            r.last_authored_position <> coalesce(h.number_of_positions, 0)
            or r.last_authored_position <> coalesce(h.last_position, 0)
        )
    """,
)

_OPEN_WAIT = Check(
    "run.open_wait",
    "The condition wait that is open in the history of the run is not the one that the run waits for.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.open_wait_position, w.authored_position as open_in_history
    from audit_runs as r
    left join (
        select e.run_id, e.authored_position
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
            and e.event_type in (
                'ConditionWaitOpened', 'ConditionWaitSatisfied', 'ConditionWaitTimedOut', 'TimerFired'
            )
        group by e.run_id, e.authored_position
        having min(e.event_type) = 'ConditionWaitOpened' and max(e.event_type) = 'ConditionWaitOpened'
    ) as w on r.run_id = w.run_id
    where r.run_id > :after and r.run_id <= :upto and r.closed_at is null
        and coalesce(r.open_wait_position, 0) <> coalesce(w.authored_position, 0)
    """,
)

_HELD = Check(
    "run.held_events",
    "Events are held for the run without a reason: no worker holds its workflow task.",
    """
    select r.namespace, r.workflow_id, i.run_id, i.arrival, i.kind, i.event_type
    from audit_inbox as i
    inner join audit_runs as r on i.run_id = r.run_id
    left join audit_workflow_tasks as t on i.run_id = t.run_id
    where i.run_id > :after and i.run_id <= :upto and r.closed_at is null
        and coalesce(t.status, '') <> 'leased' and (i.kind <> 'signal' or r.has_answered_task)
    """,
)

_TIMER_EXTRA = Check(
    "timer.extra",
    "A timer is pending that the history of its run never scheduled, or has ended.",
    """
    select r.namespace, r.workflow_id, t.run_id, t.position, t.kind
    from audit_timers as t
    inner join audit_runs as r on t.run_id = r.run_id
    left join (
        select x.run_id, x.authored_position,
            sum(case when x.event_type = 'TimerScheduled' then 1 else 0 end) as starts,
            sum(case when x.event_type = 'TimerScheduled' then 0 else 1 end) as ends
        from (
            select e.run_id, e.authored_position, e.event_type
            from audit_history as e
            where e.run_id > :after and e.run_id <= :upto
            union all
            select i.run_id, i.authored_position, i.event_type
            from audit_inbox as i
            where i.run_id > :after and i.run_id <= :upto
        ) as x
        where x.event_type in ('TimerScheduled', 'TimerFired', 'TimerCancelled', 'ConditionWaitSatisfied')
        group by x.run_id, x.authored_position
    ) as h on t.run_id = h.run_id and t.position = h.authored_position
    where t.run_id > :after and t.run_id <= :upto and r.closed_at is null
        and (coalesce(h.starts, 0) = 0 or h.ends > 0)
    """,
)

_TIMER_LOST = Check(
    "timer.lost",
    "A timer that the history of an open run scheduled has not ended, and will never fire.",
    """
    select r.namespace, r.workflow_id, h.run_id, h.authored_position as position
    from (
        select x.run_id, x.authored_position
        from (
            select e.run_id, e.authored_position, e.event_type
            from audit_history as e
            where e.run_id > :after and e.run_id <= :upto
            union all
            select i.run_id, i.authored_position, i.event_type
            from audit_inbox as i
            where i.run_id > :after and i.run_id <= :upto
        ) as x
        where x.event_type in ('TimerScheduled', 'TimerFired', 'TimerCancelled', 'ConditionWaitSatisfied')
        group by x.run_id, x.authored_position
        having min(x.event_type) = 'TimerScheduled' and max(x.event_type) = 'TimerScheduled'
    ) as h
    inner join audit_runs as r on h.run_id = r.run_id
    left join audit_timers as t on h.run_id = t.run_id and h.authored_position = t.position
    where r.closed_at is null and t.run_id is null
    """,
)

_RECEIPTS = Check(
    "receipt.subject",
    "A recorded answer is about nothing that can be repeated.",
    """
    select r.namespace, r.workflow_id, c.run_id, c.subject
    from audit_receipts as c
    inner join audit_runs as r on c.run_id = r.run_id
    where c.run_id > :after and c.run_id <= :upto and not c.fits_form
    """,
)

CHECKS = (
    _STATUS,
    _ANSWERED,
    _FIRST_TASK,
    _PAYLOADS,
    _POSITIONS,
    _OPEN_WAIT,
    _HELD,
    _TIMER_EXTRA,
    _TIMER_LOST,
    _RECEIPTS,
)
