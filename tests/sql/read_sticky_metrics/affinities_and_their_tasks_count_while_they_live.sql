begin;
select plan(7);
set local role byssus_app;

create function pg_temp.figures(p_namespace text, variadic p_names text[]) returns text language sql as $$
    select string_agg(n.namespace ->> m.name, ' ' order by m.number)
    from jsonb_array_elements((byssus.read_sticky_metrics()).body::jsonb -> 'namespaces') as n (namespace)
    cross join unnest(p_names) with ordinality as m (name, number)
    where n.namespace ->> 'namespace' = p_namespace
$$;
create function pg_temp.now() returns text language sql as
'select pg_temp.figures(''default'', ''active_sticky_runs'', ''ready_sticky_tasks'', ''leased_sticky_tasks'')';
select retained_run('a');
select retained_run('b');
select retained_run('c');
select start('cold');
select is(pg_temp.now(), '3 0 0', 'three runs in a cache');
select signal('go', 'a');
select signal('go', 'b');
select is(pg_temp.now(), '3 2 0', 'two of them have a task');
select claim('w1', 'p2');
select is(pg_temp.now(), '3 1 1', 'one of which is leased');
savepoint living;
select pass_time(299);
select is(pg_temp.now(), '3 1 1', 'a last second');
select pass_time(1);
select is(pg_temp.now(), '0 0 1', 'when affinities have expired only the lease counts');
rollback to savepoint living;
select byssus.deregister_worker('default', 'w1', null, 600);
select is(pg_temp.figures('default', 'active_sticky_runs'), '0', 'a cache that is gone holds no run');
rollback to savepoint living;
select register_sticky();
select is(pg_temp.figures('default', 'active_sticky_runs'), '0', 'nor does that of a new process');

select * from finish();
rollback;
