begin;
select plan(3);
set local role byssus_owner;

create function pg_temp.figures(p_namespace text, variadic p_names text[]) returns text language sql as $$
    select string_agg(n.namespace ->> m.name, ' ' order by m.number)
    from jsonb_array_elements((byssus.read_sticky_metrics()).body::jsonb -> 'namespaces') as n (namespace)
    cross join unnest(p_names) with ordinality as m (name, number)
    where n.namespace ->> 'namespace' = p_namespace
$$;
insert into byssus.namespaces (name, created_at) values ('a "second"', moment());
select retained_run();
select signal();
select claim('w1', 'p2');
select is(
    pg_temp.figures('a "second"', 'active_sticky_runs', 'leased_sticky_tasks', 'hit_expected_last_minute'), '0 0 0',
    'nothing of the other''s'
);
select is(
    pg_temp.figures('default', 'active_sticky_runs', 'leased_sticky_tasks', 'hit_expected_last_minute'), '1 1 1',
    'which has its own'
);
select is(
    (byssus.read_sticky_metrics()).body::jsonb #>> '{namespaces,0,namespace}', 'a "second"', 'in the order of their names'
);

select * from finish();
rollback;
