-- Fills the tables as very many transitions would have, but at once: finished runs, runs that wait, a long history.
-- Run by a superuser with the guards off (session_replication_role = replica).
create schema byssus_test;

-- Ids that follow each other, as those of version 7 do.
create function byssus_test.run_id(p_kind text, p_number integer) returns text
language sql immutable
as $$ select left(md5(p_kind), 8) || '-0000-7000-8000-' || lpad(p_number::text, 12, '0') $$;

-- Runs 1 to p_count of a kind, with five events each; closed, or open with a deadline at p_at. Half of them belong
-- to workflows of their own, the others follow each other in one workflow named like the kind.
create procedure byssus_test.load_runs(p_kind text, p_count integer, p_status text, p_at timestamptz)
language sql
as $$
    insert into byssus.workflows (namespace, workflow_id, workflow_type, first_run_id, current_run_id)
    select 'default', p_kind || n, 'order', byssus_test.run_id(p_kind, n), byssus_test.run_id(p_kind, n)
    from generate_series(1, p_count, 2) as n
    union all
    select 'default', p_kind, 'order', byssus_test.run_id(p_kind, 2), byssus_test.run_id(p_kind, p_count);

    insert into byssus.runs (
        run_id, namespace, workflow_id, run_number, first_run_id, workflow_type, task_queue, priority, fairness_weight,
        status, closed_reason, closed_at, last_history_sequence, last_authored_position, applied_through_sequence,
        has_answered_task, execution_deadline_at, started_at, last_progress_at
    )
    select
        byssus_test.run_id(p_kind, n), 'default', case n % 2 when 1 then p_kind || n else p_kind end, n,
        byssus_test.run_id(p_kind, n), 'type' || n % 20, 'q', 5, 1, p_status, case p_status when 'completed' then 'completed' end,
        case p_status when 'completed' then p_at end, 5, 3, 5, true, p_at, p_at, p_at
    from generate_series(1, p_count) as n;

    insert into byssus.run_payloads (run_id, input)
    select byssus_test.run_id(p_kind, n), '{"codec":"avro","blob":"AA=="}' from generate_series(1, p_count) as n;

    insert into byssus.history_events (run_id, sequence, event_type, recorded_at, wire)
    select byssus_test.run_id(p_kind, n), s, 'Happened', p_at, '{"sequence":' || s || '}'
    from generate_series(1, p_count) as n cross join generate_series(1, 5) as s;

    insert into byssus.receipts (run_id, subject, caller, digest, outcome, body, recorded_at)
    select byssus_test.run_id(p_kind, n), 'k1.1', 'w1', 'd', 'completed', '{}', least(p_at, now())
    from generate_series(1, p_count) as n;
$$;

create procedure byssus_test.load_activities(
    p_kind text, p_count integer, p_position integer, p_status text, p_at timestamptz
)
language sql
as $$
    insert into byssus.activities (
        run_id, position, namespace, activity_type, task_queue, priority, status, available_at, backoff_seconds,
        non_retryable_error_types, timeout_at, schedule_to_close_deadline_at, closed_at, lease_owner,
        lease_expires_at, started_at, poll_request_id, registration_token
    )
    select
        byssus_test.run_id(p_kind, n), p_position, 'default', 'charge', 'q', 5, p_status, p_at, '[]', '[]',
        case p_status when 'completed' then null else p_at end, p_at,
        case p_status when 'completed' then p_at end, case p_status when 'running' then 'other' || n % 100 end,
        case p_status when 'running' then p_at end, case p_status when 'running' then p_at end,
        case p_status when 'running' then 'p' || n end, case p_status when 'running' then 't' end
    from generate_series(1, p_count) as n;
$$;

-- Runs that have ended, with an activity each.
create procedure byssus_test.load_finished(p_count integer)
language sql
as $$
    call byssus_test.load_runs('finished', p_count, 'completed', now() - interval '1 day');
    call byssus_test.load_activities('finished', p_count, 1, 'completed', now() - interval '1 day');
$$;

-- Runs for which everything comes at p_at: their deadline, a pending and a running activity, a timer, and a
-- workflow task that becomes ready (odd numbers; every other one is held for a worker) or whose lease ends (even ones).
create procedure byssus_test.load_waiting(p_kind text, p_count integer, p_at timestamptz)
language sql
as $$
    call byssus_test.load_runs(p_kind, p_count, 'waiting', p_at);
    call byssus_test.load_activities(p_kind, p_count, 1, 'pending', p_at);
    call byssus_test.load_activities(p_kind, p_count, 2, 'running', p_at);

    insert into byssus.timers (run_id, position, kind, fire_at, event_members)
    select byssus_test.run_id(p_kind, n), 3, 'timer', p_at, '' from generate_series(1, p_count) as n;

    -- Some are in the cache of a worker, others were until an hour ago.
    insert into byssus.affinities (
        run_id, namespace, sticky_worker_id, registration_token, build_id, sticky_until, hold_seconds,
        reported_sequence, history_size_bytes, delivered_sequence
    )
    select
        byssus_test.run_id(p_kind, n), 'default', 'other' || n % 100, 't' || n % 100, 'b',
        now() + case n % 4 when 1 then interval '1 day' else interval '-1 hour' end, 5, 5, 5, 5
    from generate_series(1, p_count) as n;

    insert into byssus.workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, priority, status, available_at,
        sticky_worker_id, sticky_registration_token, sticky_until, held_until
    )
    select
        a.run_id, 5, 'default', 'q', 'order', 5, 'ready', p_at, case when a.sticky_until > now() then a.sticky_worker_id end,
        case when a.sticky_until > now() then a.registration_token end,
        case when a.sticky_until > now() then a.sticky_until end,
        p_at + case when a.sticky_until > now() then interval '5 seconds' else interval '0' end
    from generate_series(1, p_count, 2) as n
    inner join byssus.affinities as a on byssus_test.run_id(p_kind, n) = a.run_id;

    insert into byssus.workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, priority, status, available_at, held_until,
        lease_owner, lease_expires_at, registration_token, poll_request_id, sticky_replay_mode, sticky_claimed_at,
        after_sequence, claimed_sequence, delivered_sequence
    )
    select
        byssus_test.run_id(p_kind, n), 5, 'default', 'q', 'order', 5, 'leased', p_at, p_at, 'other' || n % 100, p_at, 't',
        'p' || n, 'cold_replay', p_at, 0, 5, 5
    from generate_series(2, p_count, 2) as n;
$$;

-- Runs in the cache of one worker, each with an urgent workflow task that is held for it.
create procedure byssus_test.load_held(p_count integer)
language sql
as $$
    call byssus_test.load_runs('held', p_count, 'waiting', now() + interval '1 day');

    insert into byssus.worker_registrations (
        namespace, worker_id, registration_token, task_queue, runtime, build_id, protocol_version, workflow_types,
        activity_types, workflow_definition_fingerprints, workflow_command_contracts, capabilities,
        capability_manifest, sticky_execution, sticky_history_suffix, merged_transitions,
        max_concurrent_workflow_tasks, max_concurrent_activity_tasks, max_concurrent_worker_sessions, registered_at
    ) values (
        'default', 'holder', md5('holder'), 'q', 'python', 'b1', '1.20', '{order}', '{}', '{}', '{}', '{}', '{}', true,
        true, true, 10, 10, 0, now()
    );

    insert into byssus.affinities (
        run_id, namespace, sticky_worker_id, registration_token, build_id, sticky_until, hold_seconds,
        reported_sequence, history_size_bytes, delivered_sequence
    )
    select
        byssus_test.run_id('held', n), 'default', 'holder', md5('holder'), 'b1', now() + interval '1 day', 86400, 5, 5, 5
    from generate_series(1, p_count) as n;

    insert into byssus.workflow_tasks (
        run_id, task_number, namespace, task_queue, workflow_type, priority, status, available_at,
        sticky_worker_id, sticky_registration_token, sticky_until, held_until
    )
    select
        byssus_test.run_id('held', n), 5, 'default', 'q', 'order', 0, 'ready', now(), 'holder', md5('holder'),
        now() + interval '1 day', now() + interval '1 day'
    from generate_series(1, p_count) as n;
$$;

-- Claims that were counted an hour ago.
create procedure byssus_test.load_counts(p_count integer)
language sql
as $$
    insert into byssus.sticky_counts
    select 'default', now() - interval '1 hour', n, 1, 1, 1, 1, 1, 1 from generate_series(1, p_count) as n;
$$;

-- Prolongs the history of a workflow's run to p_events; a worker that has the run in its cache holds all of them.
create procedure byssus_test.load_history(p_workflow text, p_events integer)
language sql
as $$
    insert into byssus.history_events (run_id, sequence, event_type, recorded_at, wire)
    select w.current_run_id, s, 'Happened', now(), '{"sequence":' || s || '}'
    from byssus.workflows as w
    inner join byssus.runs as r on w.current_run_id = r.run_id
    cross join generate_series(r.last_history_sequence + 1, p_events) as s
    where w.workflow_id = p_workflow;

    update byssus.runs set last_history_sequence = p_events, applied_through_sequence = p_events
    where workflow_id = p_workflow;

    update byssus.affinities as a set reported_sequence = p_events, delivered_sequence = p_events
    from byssus.workflows as w
    where w.workflow_id = p_workflow and a.run_id = w.current_run_id;
$$;

-- Events held for the even ones of waiting runs 1 to p_count.
create procedure byssus_test.load_inbox(p_kind text, p_count integer)
language sql
as $$
    insert into byssus.inbox (run_id, arrival, kind, event_type, payload, wakes)
    select byssus_test.run_id(p_kind, n), a, 'signal', 'SignalReceived', '{"signal_id":"s","signal_name":"go"}', true
    from generate_series(2, p_count, 2) as n cross join generate_series(1, 5) as a;
$$;
