begin;
select plan(4);
set local role byssus_owner;

select leased_run();
select byssus.append_history(run(), 1, moment(), array['B', 'C', 'D', 'E'], array['{}', '{}', '{}', '{}']);
create function pg_temp.types(p_after bigint, p_through bigint, p_size integer) returns text[] language sql as $$
    select array(
        select e ->> 'event_type'
        from byssus.history_page(byssus_test.run(), p_after, p_through, p_size) as p
        cross join jsonb_array_elements(('[' || p.events || ']')::jsonb) as e
    )
$$;
select is(pg_temp.types(0, 5, 9), array['WorkflowStarted', 'B', 'C', 'D', 'E'], 'all');
select is(pg_temp.types(1, 4, 9), array['B', 'C', 'D'], 'behind one, through the other');
select is(pg_temp.types(1, 4, 2), array['B', 'C'], 'as many as asked');
select is(pg_temp.types(4, 4, 9), '{}', 'an empty one');

select * from finish();
rollback;
