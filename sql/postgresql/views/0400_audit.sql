-- What auditors may read, and what `byssus audit` reads: everything but payloads and tokens. Payloads appear as numbers
-- of bytes, tokens as what became of the registration that they belong to.
create view byssus.audit_namespaces as
select n.name, n.created_at from byssus.namespaces as n;

comment on view byssus.audit_namespaces is 'Namespaces.';

create view byssus.audit_workflows as
select w.namespace, w.workflow_id, w.workflow_type, w.first_run_id, w.current_run_id, w.run_count
from byssus.workflows as w;

comment on view byssus.audit_workflows is 'Workflow ids and their current runs.';

create view byssus.audit_runs as
select
    r.namespace, r.workflow_id, r.run_id, r.run_number, r.first_run_id, r.workflow_type, r.task_queue, r.build_id,
    r.priority, r.status, r.closed_reason, r.last_history_sequence, r.history_size_bytes, r.last_authored_position,
    r.has_answered_task, r.open_wait_position, r.continued_from_run_id, r.continued_to_run_id,
    r.deadline_at, r.started_at, r.last_progress_at, r.closed_at
from byssus.runs as r;

comment on view byssus.audit_runs is 'Runs without their payloads.';

create view byssus.audit_run_payloads as
select
    p.run_id, octet_length(p.input::text) as input_bytes, octet_length(p.output::text) as output_bytes,
    octet_length(p.memo::text) as memo_bytes, octet_length(p.search_attributes::text) as search_attributes_bytes
from byssus.run_payloads as p;

comment on view byssus.audit_run_payloads is 'How large the payloads of a run are.';

-- The wire form is head, payload, and a tail of 45 bytes (`,"recorded_at":"..."}`). fits_wire: whether the head is that
-- of the row. authored_position: the payload's first member, where that is `sequence`. Both read the beginning alone.
create view byssus.audit_history as
select
    r.namespace, r.workflow_id, e.run_id, e.sequence, e.event_type, e.recorded_at,
    octet_length(e.event_type) + octet_length(e.wire) - octet_length(e.head) - 45 as size_bytes,
    left(e.wire, length(e.head)) = e.head as fits_wire,
    substring(substr(e.wire, length(e.head) + 1, 24) from '^\{"sequence":([0-9]{1,9})[,}]')::integer
        as authored_position
from (
    select
        h.run_id, h.sequence, h.event_type, h.recorded_at, h.wire,
        '{"id":"' || h.run_id || ':e' || h.sequence || '","sequence":' || h.sequence
        || ',"event_type":"' || h.event_type || '","payload":' as head
    from byssus.history_events as h
) as e
left join byssus.runs as r on e.run_id = r.run_id;

comment on view byssus.audit_history is
'Which event was recorded when, without its payload. size_bytes counts as history_size_bytes of its run does.';

create view byssus.audit_workflow_tasks as
select
    t.namespace, t.task_queue, t.run_id, t.run_id || ':k' || t.task_number as task_id, t.task_number, t.workflow_type,
    t.build_id, t.priority, t.status, t.available_at, t.held_until, t.attempt, t.failure_count, t.lease_owner,
    t.lease_expires_at, i.status as lease_registration, t.sticky_worker_id, t.sticky_until, t.sticky_replay_mode,
    t.sticky_claimed_at, t.after_sequence, t.claimed_sequence, t.delivered_sequence
from byssus.workflow_tasks as t
left join byssus.worker_incarnations as i
    on t.registration_token = i.registration_token and t.namespace = i.namespace and t.lease_owner = i.worker_id;

comment on view byssus.audit_workflow_tasks is
'Open workflow tasks and who holds them. lease_registration: what became of the registration that leased it.';

create view byssus.audit_affinities as
select
    a.namespace, a.run_id, a.sticky_worker_id, a.build_id, a.sticky_until, a.hold_seconds, a.reported_sequence,
    a.delivered_sequence, a.history_size_bytes
from byssus.affinities as a;

comment on view byssus.audit_affinities is 'Which worker holds which run in its cache; no tokens.';

create view byssus.audit_activities as
select
    a.namespace, a.task_queue, a.run_id, a.position, a.run_id || ':a' || a.position as activity_execution_id,
    a.activity_type, a.build_id, a.priority, a.status, a.available_at, a.attempt_number, a.max_attempts, a.lease_owner,
    a.lease_expires_at, i.status as lease_registration, a.started_at, a.last_heartbeat_at, a.timeout_at, a.closed_at
from byssus.activities as a
left join byssus.worker_incarnations as i
    on a.registration_token = i.registration_token and a.namespace = i.namespace and a.lease_owner = i.worker_id;

comment on view byssus.audit_activities is
'Activities and who runs them, without arguments and details. lease_registration: as in audit_workflow_tasks.';

create view byssus.audit_timers as
select t.run_id, t.position, t.kind, t.fire_at from byssus.timers as t;

comment on view byssus.audit_timers is 'Pending timers.';

create view byssus.audit_inbox as
select
    i.run_id, i.arrival, i.kind, i.event_type, i.wakes, i.wait_position, octet_length(i.payload) as payload_bytes,
    substring(i.payload from '^\{"sequence":([0-9]{1,9})[,}]')::integer as authored_position
from byssus.inbox as i;

comment on view byssus.audit_inbox is 'Held events, without their payloads.';

create view byssus.audit_receipts as
select
    c.run_id, c.subject, c.outcome, c.recorded_at, octet_length(c.body) as body_bytes,
    c.subject ~ '^([ka][1-9][0-9]*\.[1-9][0-9]*|(signal|cancel|terminate):.+)$' as fits_form
from byssus.receipts as c;

comment on view byssus.audit_receipts is 'Which requests have a recorded answer, without the answers.';

create view byssus.audit_workers as
select
    w.namespace, w.worker_id, w.task_queue, w.runtime, w.sdk_version, w.build_id, w.protocol_version,
    w.workflow_types, w.activity_types, w.sticky_execution, w.sticky_history_suffix, w.merged_transitions,
    w.registered_at,
    l.last_heartbeat_at, l.stale_at, l.polling_until, i.status as registration_status
from byssus.worker_registrations as w
left join byssus.worker_liveness as l on w.namespace = l.namespace and w.worker_id = l.worker_id
left join byssus.worker_incarnations as i
    on w.registration_token = i.registration_token and w.namespace = i.namespace and w.worker_id = i.worker_id;

comment on view byssus.audit_workers is 'Registered workers and their last signs of life; no tokens.';

create view byssus.audit_liveness as
select l.namespace, l.worker_id, l.last_heartbeat_at, l.stale_at, l.polling_until
from byssus.worker_liveness as l;

comment on view byssus.audit_liveness is 'The signs of life of workers, registered or not.';

create view byssus.audit_incarnations as
select i.namespace, i.worker_id, i.status, i.finished_at, w.worker_id is not null as is_registered
from byssus.worker_incarnations as i
left join byssus.worker_registrations as w
    on i.registration_token = w.registration_token and i.namespace = w.namespace and i.worker_id = w.worker_id;

comment on view byssus.audit_incarnations is 'What became of each registration; no tokens.';

create view byssus.audit_routines as
select s.name, s.checksum from byssus.schema_routines as s;

comment on view byssus.audit_routines is 'Which routines this database was given: the checksums of their files.';
