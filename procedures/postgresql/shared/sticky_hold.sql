-- Whose cache a run's task would find warm, and for how long it waits for that worker.
--
-- p_run_id        the run, whose row the caller has locked.
-- p_available_at  when its task becomes ready.
-- p_now           the moment.
-- Result          sticky_worker_id, registration_token, sticky_until: the run's living affinity, null without one;
--                 held_until: when any worker may claim the task: at the end of the hold, and as soon as the affinity
--                 ends, the worker's heartbeat is overdue or its last poll too old; at once without a hold.
-- Locks           none of its own. Writes nothing.
create or replace function byssus.sticky_hold(
    p_run_id text, p_available_at timestamptz, p_now timestamptz,
    out sticky_worker_id text, out registration_token text, out sticky_until timestamptz, out held_until timestamptz
)
language plpgsql
stable
as $$
begin
    select
        a.sticky_worker_id::text, a.registration_token, a.sticky_until,
        case
            when l.polling_until is null then p_available_at
            else greatest(p_available_at, least(
                p_available_at + make_interval(secs => a.hold_seconds), a.sticky_until, l.stale_at, l.polling_until
            ))
        end
    into sticky_hold.sticky_worker_id, sticky_hold.registration_token, sticky_hold.sticky_until, sticky_hold.held_until
    from byssus.affinities as a
    inner join byssus.worker_registrations as w
        on a.namespace = w.namespace and a.sticky_worker_id = w.worker_id
        and a.registration_token = w.registration_token
    inner join byssus.worker_liveness as l on w.namespace = l.namespace and w.worker_id = l.worker_id
    where a.run_id = p_run_id and a.sticky_until > p_now;
    held_until := coalesce(held_until, p_available_at);
end;
$$;

comment on function byssus.sticky_hold(text, timestamptz, timestamptz) is
'The living affinity of a run, and until when its ready task is held for that worker.';
