-- What sticky execution does in each namespace: affinities and tasks now, claims of the last minute by how they were
-- routed, and the totals that workers report.
--
-- Outcomes  described: namespaces, by name.
-- Locks     none. Writes nothing. Reads unexpired affinities, registered workers with what is ready for their cache and
--           what they have leased, and the counts of a minute; never history.
create or replace function byssus.read_sticky_metrics()
returns byssus.answer
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
    v_now timestamptz := byssus.current_instant();
    v_namespaces text;
begin
    select string_agg(
        '{"namespace":' || byssus.json_string(n.name)
        || ',"active_sticky_runs":' || (
            select count(*) from byssus.affinities as a
            inner join byssus.worker_registrations as w
                on a.namespace = w.namespace and a.sticky_worker_id = w.worker_id
                and a.registration_token = w.registration_token
            where a.namespace = n.name and a.sticky_until > v_now
        )
        || ',"ready_sticky_tasks":' || w.ready || ',"leased_sticky_tasks":' || w.leased
        || c.counts || l.totals || '}',
        ',' order by n.name collate "C"
    )
    into v_namespaces
    from byssus.namespaces as n
    -- By worker, since tasks are indexed by registration and by lease owner (whoever is one holds a leased task).
    cross join lateral (
        select coalesce(sum(o.ready), 0) as ready, coalesce(sum(h.leased), 0) as leased
        from byssus.worker_registrations as r
        cross join lateral (
            select count(*) as ready from byssus.workflow_tasks as t
            where t.sticky_registration_token = r.registration_token and t.status = 'ready' and t.sticky_until > v_now
        ) as o
        cross join lateral (
            select count(*) as leased from byssus.workflow_tasks as t
            where t.namespace = r.namespace and t.lease_owner = r.worker_id and t.sticky_worker_id is not null
        ) as h
        where r.namespace = n.name
    ) as w
    cross join lateral (
        select ',"hit_expected_last_minute":' || coalesce(sum(s.hit_expected), 0)
            || ',"forced_cold_replay_last_minute":' || coalesce(sum(s.forced_cold_replay), 0)
            || ',"cold_replay_last_minute":' || coalesce(sum(s.cold_replay), 0)
            || ',"suffix_tasks_last_minute":' || coalesce(sum(s.suffix_tasks), 0)
            || ',"suffix_events_saved_last_minute":' || coalesce(sum(s.suffix_events_saved), 0)
            || ',"suffix_bytes_saved_last_minute":' || coalesce(sum(s.suffix_bytes_saved), 0) as counts
        from byssus.sticky_counts as s
        where s.namespace = n.name and s.counted_at > v_now - interval '1 minute'
    ) as c
    cross join lateral (
        select ',"worker_hits":' || coalesce(sum(v.sticky_hits), 0)
            || ',"worker_misses":' || coalesce(sum(v.sticky_misses), 0)
            || ',"worker_evictions":' || coalesce(sum(v.sticky_evictions), 0)
            || ',"worker_forced_cold_replays":' || coalesce(sum(v.sticky_forced_cold_replays), 0) as totals
        from byssus.worker_liveness as v
        where v.namespace = n.name
    ) as l;

    return ('described', '{"namespaces":[' || coalesce(v_namespaces, '') || ']}', null)::byssus.answer;
end;
$$;

comment on function byssus.read_sticky_metrics() is
'What sticky execution does in each namespace: affinities, tasks, claims of the last minute, totals of workers.';
