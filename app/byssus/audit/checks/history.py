"""The events of a run: numbered without a gap, in order, and as long as the run says."""

from __future__ import annotations

from byssus.audit.check import Check

_NUMBERS = Check(
    "history.numbers",
    "The events of the run are not numbered 1, 2, 3, ... without a gap.",
    """
    select r.namespace, r.workflow_id, h.run_id, h.number_of_events, h.first_sequence, h.last_sequence
    from (
        select e.run_id, count(*) as number_of_events, min(e.sequence) as first_sequence,
            max(e.sequence) as last_sequence
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
        group by e.run_id
    ) as h
    inner join audit_runs as r on h.run_id = r.run_id
    where h.first_sequence <> 1 or h.number_of_events <> h.last_sequence
    """,
)

_LENGTH = Check(
    "history.length",
    "The run's last history sequence is not that of its last event.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.last_history_sequence, h.last_sequence as last_event
    from audit_runs as r
    left join (
        select e.run_id, max(e.sequence) as last_sequence
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
        group by e.run_id
    ) as h on r.run_id = h.run_id
    where r.run_id > :after and r.run_id <= :upto and r.last_history_sequence <> coalesce(h.last_sequence, 0)
    """,
)

# A history with a gap is told by its numbers; its size must then be wrong too.
_SIZE = Check(
    "history.size",
    "The run's history size is not what its events add up to.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.history_size_bytes, h.size_bytes as size_of_events
    from audit_runs as r
    inner join (
        select e.run_id, count(*) as number_of_events, max(e.sequence) as last_sequence,
            sum(e.size_bytes) as size_bytes
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
        group by e.run_id
    ) as h on r.run_id = h.run_id
    where r.run_id > :after and r.run_id <= :upto
        and h.number_of_events = r.last_history_sequence and h.last_sequence = r.last_history_sequence
        and h.size_bytes <> r.history_size_bytes
    """,
)

_ORDER = Check(
    "history.order",
    "An event was recorded at an earlier moment than the one before it.",
    """
    select r.namespace, r.workflow_id, e.run_id, e.sequence, e.recorded_at, p.recorded_at as recorded_before
    from audit_history as e
    inner join audit_history as p on e.run_id = p.run_id and p.sequence = e.sequence - 1
    inner join audit_runs as r on e.run_id = r.run_id
    where e.run_id > :after and e.run_id <= :upto and p.run_id > :after and p.run_id <= :upto
        and p.recorded_at > e.recorded_at
    """,
)

_WIRE = Check(
    "history.wire",
    "The stored text of an event begins with another id, sequence or type than its row has.",
    """
    select e.namespace, e.workflow_id, e.run_id, e.sequence, e.event_type
    from audit_history as e
    where e.run_id > :after and e.run_id <= :upto and not e.fits_wire
    """,
)

_START = Check(
    "history.start",
    "A history begins with WorkflowStarted, and that comes nowhere else.",
    """
    select e.namespace, e.workflow_id, e.run_id, e.sequence, e.event_type
    from audit_history as e
    where e.run_id > :after and e.run_id <= :upto and (e.sequence = 1) <> (e.event_type = 'WorkflowStarted')
    """,
)

_END = Check(
    "history.end",
    "A closed run has one terminal event, the one of its reason; an open run has none.",
    """
    select r.namespace, r.workflow_id, r.run_id, r.status, r.closed_reason, t.number_of_ends, t.ended_by
    from audit_runs as r
    left join (
        select e.run_id, count(*) as number_of_ends, min(e.event_type) as ended_by
        from audit_history as e
        where e.run_id > :after and e.run_id <= :upto
            and e.event_type in (
                'WorkflowCompleted', 'WorkflowFailed', 'WorkflowContinuedAsNew', 'WorkflowCancelled',
                'WorkflowTerminated', 'WorkflowTimedOut'
            )
        group by e.run_id
    ) as t on r.run_id = t.run_id
    where r.run_id > :after and r.run_id <= :upto
        and case
            when r.closed_at is null then t.run_id is not null
            else coalesce(t.number_of_ends, 0) <> 1
                or t.ended_by <> case r.closed_reason
                    when 'completed' then 'WorkflowCompleted'
                    when 'failed' then 'WorkflowFailed'
                    when 'continued' then 'WorkflowContinuedAsNew'
                    when 'cancelled' then 'WorkflowCancelled'
                    when 'terminated' then 'WorkflowTerminated'
                    when 'timed_out' then 'WorkflowTimedOut'
                    else ''
                end
        end
    """,
)

# What was held while a worker's last commands were on their way comes behind the end that they made.
_AFTER_END = Check(
    "history.after_end",
    "An event follows the terminal event of its run, where only rejected signals and held results may.",
    """
    select r.namespace, r.workflow_id, e.run_id, e.sequence, e.event_type, t.event_type as ended_by
    from audit_history as t
    inner join audit_history as e on t.run_id = e.run_id and e.sequence > t.sequence
    inner join audit_runs as r on t.run_id = r.run_id
    where t.run_id > :after and t.run_id <= :upto and e.run_id > :after and e.run_id <= :upto
        and t.event_type in (
            'WorkflowCompleted', 'WorkflowFailed', 'WorkflowContinuedAsNew', 'WorkflowCancelled',
            'WorkflowTerminated', 'WorkflowTimedOut'
        )
        and e.event_type not in (
            'SignalRejected', 'WorkflowCompleted', 'WorkflowFailed', 'WorkflowContinuedAsNew',
            'WorkflowCancelled', 'WorkflowTerminated', 'WorkflowTimedOut'
        )
        and not (
            t.event_type in ('WorkflowCompleted', 'WorkflowFailed', 'WorkflowContinuedAsNew')
            and e.event_type in (
                'ActivityCompleted', 'ActivityFailed', 'ActivityTimedOut', 'ActivityRetryScheduled',
                'TimerFired'
            )
        )
    """,
)

CHECKS = (_NUMBERS, _LENGTH, _SIZE, _ORDER, _WIRE, _START, _END, _AFTER_END)
