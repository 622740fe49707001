begin;
select plan(6);
set local role byssus_app;

create function pg_temp.figures(p_namespace text, variadic p_names text[]) returns text language sql as $$
    select string_agg(n.namespace ->> m.name, ' ' order by m.number)
    from jsonb_array_elements((byssus.read_sticky_metrics()).body::jsonb -> 'namespaces') as n (namespace)
    cross join unnest(p_names) with ordinality as m (name, number)
    where n.namespace ->> 'namespace' = p_namespace
$$;
create function pg_temp.claims() returns text language sql as $$
    select pg_temp.figures(
        'default', 'hit_expected_last_minute', 'forced_cold_replay_last_minute', 'cold_replay_last_minute',
        'suffix_tasks_last_minute', 'suffix_events_saved_last_minute', 'suffix_bytes_saved_last_minute'
    )
$$;
select register_sticky();
select register_sticky('w2');
select leased_run();
create temporary table saved as select (the_run()).history_size_bytes as bytes;
select retain(run(), '{}', wait_for());
select is(pg_temp.claims(), '0 0 1 0 0 0', 'a cold run');
select pass_time(1);
select signal();
select claim('w1', 'p2');
select is(pg_temp.claims(), concat('1 0 1 1 1 ', (select bytes from saved)), 'a suffix that leaves one event out');
select claim('w1', 'p2');
select is(pg_temp.claims(), concat('1 0 1 1 1 ', (select bytes from saved)), 'a repeat is no further claim');
select pass_time(58);
select byssus.release_workflow_task('default', task(), 'w1', 1);
select claim('w2', 'p3');
select is(pg_temp.claims(), concat('1 1 1 1 1 ', (select bytes from saved)), 'another worker');
select pass_time(1);
select is(pg_temp.claims(), concat('1 1 0 1 1 ', (select bytes from saved)), 'a minute later the first counts no more');
select pass_time(1);
select is(pg_temp.claims(), '0 1 0 0 0 0', 'nor the second');

select * from finish();
rollback;
