begin;
select plan(3);
set local role byssus_owner;

select register_sticky();
select register_sticky('w2');
create function pg_temp.totals(p_worker text) returns bigint[] language sql as $$
    select array[l.sticky_hits, l.sticky_misses, l.sticky_evictions, l.sticky_forced_cold_replays]
    from byssus_test.the_liveness(p_worker) as l
$$;
select byssus.record_sticky_metrics('default', 'w1', '{"hit":9,"miss":9,"eviction":9,"forced_cold_replay":9}');
select byssus.record_sticky_metrics('default', 'w1', '{"hit":4,"miss":3,"eviction":2,"forced_cold_replay":1}');
select is(pg_temp.totals('w1'), array[4, 3, 2, 1]::bigint[], 'totals are totals already');
select is(pg_temp.totals('w2'), array[0, 0, 0, 0]::bigint[], 'another worker has its own');
select lives_ok(
    $$ select byssus.record_sticky_metrics('default', 'w9', '{"hit":1,"miss":1,"eviction":1,"forced_cold_replay":1}') $$,
    'those of a worker that is gone are nobody''s'
);

select * from finish();
rollback;
