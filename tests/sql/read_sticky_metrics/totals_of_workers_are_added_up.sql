begin;
select plan(2);
set local role byssus_owner;

create function pg_temp.figures(p_namespace text, variadic p_names text[]) returns text language sql as $$
    select string_agg(n.namespace ->> m.name, ' ' order by m.number)
    from jsonb_array_elements((byssus.read_sticky_metrics()).body::jsonb -> 'namespaces') as n (namespace)
    cross join unnest(p_names) with ordinality as m (name, number)
    where n.namespace ->> 'namespace' = p_namespace
$$;
create function pg_temp.totals() returns text language sql as $$
    select pg_temp.figures(
        'default', 'worker_hits', 'worker_misses', 'worker_evictions', 'worker_forced_cold_replays'
    )
$$;
select register_sticky();
select register_sticky('w2');
select byssus.record_sticky_metrics('default', 'w1', '{"hit":1,"miss":2,"eviction":3,"forced_cold_replay":4}');
select byssus.record_sticky_metrics('default', 'w2', '{"hit":10,"miss":20,"eviction":30,"forced_cold_replay":40}');
select is(pg_temp.totals(), '11 22 33 44', 'of both');
select register_sticky('w2');
select is(pg_temp.totals(), '1 2 3 4', 'a new process begins anew');

select * from finish();
rollback;
