-- Counts how a claim was routed. Each database connection has rows of its own, so that claims never wait for each other
-- here.
--
-- p_namespace    the namespace.
-- p_mode         the claim's replay mode.
-- p_after        the sequence that its history begins behind; 0: full history.
-- p_bytes_saved  the size of the history that a suffix leaves out.
-- p_now          the moment.
-- Locks          the connection's own row. Writes sticky_counts.
create or replace function byssus.count_sticky_claim(
    p_namespace text, p_mode text, p_after bigint, p_bytes_saved bigint, p_now timestamptz
)
returns void
language plpgsql
as $$
begin
    insert into byssus.sticky_counts as c (
        namespace, counted_at, connection_number, hit_expected, forced_cold_replay, cold_replay, suffix_tasks,
        suffix_events_saved, suffix_bytes_saved
    ) values (
        p_namespace, date_trunc('second', p_now), pg_backend_pid(), (p_mode = 'sticky_hit_expected')::integer,
        (p_mode = 'forced_cold_replay')::integer, (p_mode = 'cold_replay')::integer, (p_after > 0)::integer,
        p_after, case when p_after > 0 then p_bytes_saved else 0 end
    )
    on conflict (counted_at, namespace, connection_number) do update
    set hit_expected = c.hit_expected + excluded.hit_expected,
        forced_cold_replay = c.forced_cold_replay + excluded.forced_cold_replay,
        cold_replay = c.cold_replay + excluded.cold_replay,
        suffix_tasks = c.suffix_tasks + excluded.suffix_tasks,
        suffix_events_saved = c.suffix_events_saved + excluded.suffix_events_saved,
        suffix_bytes_saved = c.suffix_bytes_saved + excluded.suffix_bytes_saved;
end;
$$;

comment on function byssus.count_sticky_claim(text, text, bigint, bigint, timestamptz) is
'Counts a claim by its replay mode, and what its suffix left out.';
