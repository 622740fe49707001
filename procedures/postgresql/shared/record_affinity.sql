-- Notes which worker holds a run in its cache: what a completion with sticky_cache says.
--
-- p_run           the run, whose row the caller has locked, as the claim found it.
-- p_task          its leased task.
-- p_registration  the registration of the task's worker.
-- p_sticky        the checked claim (sticky_refusal): ttl_seconds, hold_seconds, history_last_sequence?.
-- p_now           the moment.
-- Locks           the run's row (already held).
-- Writes          affinities.
create or replace function byssus.record_affinity(
    p_run byssus.runs, p_task byssus.workflow_tasks, p_registration byssus.worker_registrations, p_sticky json,
    p_now timestamptz
)
returns void
language plpgsql
as $$
begin
    insert into byssus.affinities as a (
        run_id, namespace, sticky_worker_id, registration_token, build_id, sticky_until, hold_seconds,
        reported_sequence, history_size_bytes, delivered_sequence
    ) values (
        p_run.run_id, p_run.namespace, p_task.lease_owner, p_task.registration_token,
        coalesce(p_registration.build_id, p_registration.sdk_version),
        p_now + make_interval(secs => (p_sticky ->> 'ttl_seconds')::integer),
        (p_sticky ->> 'hold_seconds')::integer, (p_sticky ->> 'history_last_sequence')::bigint,
        p_run.history_size_bytes, p_task.delivered_sequence
    )
    on conflict (run_id) do update
    set sticky_worker_id = excluded.sticky_worker_id,
        registration_token = excluded.registration_token,
        build_id = excluded.build_id,
        sticky_until = excluded.sticky_until,
        hold_seconds = excluded.hold_seconds,
        reported_sequence = excluded.reported_sequence,
        history_size_bytes = excluded.history_size_bytes,
        delivered_sequence = excluded.delivered_sequence;
end;
$$;

comment on function byssus.record_affinity(
    byssus.runs, byssus.workflow_tasks, byssus.worker_registrations, json, timestamptz
) is 'Records which worker holds a run in its cache, until when, and through which history sequence.';
