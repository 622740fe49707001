-- Keeps the totals that a worker reports of its history cache. Its other completions report them too: one that is
-- being recorded elsewhere is not waited for.
--
-- p_namespace  the worker's namespace.
-- p_worker_id  its id.
-- p_sticky     hit, miss, eviction, forced_cold_replay.
-- Locks        the worker's liveness row, unless another has it.
-- Writes       worker_liveness.
create or replace function byssus.record_sticky_metrics(p_namespace text, p_worker_id text, p_sticky json)
returns void
language plpgsql
as $$
begin
    perform from byssus.worker_liveness as l
    where l.namespace = p_namespace and l.worker_id = p_worker_id
    for no key update skip locked;
    if found then
        update byssus.worker_liveness as l
        set sticky_hits = (p_sticky ->> 'hit')::bigint,
            sticky_misses = (p_sticky ->> 'miss')::bigint,
            sticky_evictions = (p_sticky ->> 'eviction')::bigint,
            sticky_forced_cold_replays = (p_sticky ->> 'forced_cold_replay')::bigint
        where l.namespace = p_namespace and l.worker_id = p_worker_id;
    end if;
end;
$$;

comment on function byssus.record_sticky_metrics(text, text, json) is 'Records what a worker reports of its history cache.';
